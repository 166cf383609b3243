// The jobs that this browser started, with their tokens, in its local storage.

const key = "bookstrack.jobs";
const most = 100;
const changes = new EventTarget();

function read() {
  try {
    const jobs = JSON.parse(localStorage.getItem(key) || "[]");
    return Array.isArray(jobs) ? jobs.filter((job) => job && typeof job.id === "string") : [];
  } catch {
    return [];
  }
}

function write(jobs) {
  try { localStorage.setItem(key, JSON.stringify(jobs.slice(0, most))); } catch { /* Private windows may have no storage. */ }
  changes.dispatchEvent(new Event("change"));
}

/** Newest first. */
export const jobs = () => read();

export const job = (id) => read().find((job) => job.id === id);

export function add(job) { write([job, ...read().filter((other) => other.id !== job.id)]); }

/** Changes members of a job; a job that was removed in another tab stays removed. */
export function update(id, members) {
  const all = read();
  const found = all.find((job) => job.id === id);
  if (!found) return;
  const before = JSON.stringify(found);
  Object.assign(found, members);
  if (JSON.stringify(found) !== before) write(all);
}

export function remove(id) { write(read().filter((job) => job.id !== id)); }

/** Calls back after every change, including those of other tabs. */
export function onChange(action) {
  changes.addEventListener("change", action);
  addEventListener("storage", (event) => { if (event.key === key || event.key === null) action(); });
}
