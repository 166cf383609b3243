// The jobs that this browser started, with their tokens, in its local storage; jobs that cannot be stored are kept until the tab is closed.

const key = "bookstrack.jobs";
const most = 100;
const changes = new EventTarget();
/** The newest state of the jobs that could not be stored, by id; undefined for a stored job that could not be removed. */
const unstored = new Map();
let isBlocked = false;

function stored() {
  let text;
  try { text = localStorage.getItem(key); } catch { isBlocked = true; }
  try {
    const jobs = JSON.parse(text || "[]");
    return Array.isArray(jobs) ? jobs.filter((job) => job && typeof job.id === "string") : [];
  } catch {
    return [];
  }
}

function read() {
  const found = stored();
  if (unstored.size === 0) return found;
  const all = new Map(found.map((job) => [job.id, job]));
  for (const [id, job] of unstored) if (job) all.set(id, { ...job }); else all.delete(id);
  return [...all.values()].sort((one, other) => other.createdAt - one.createdAt);
}

/** Stores the newest jobs; if that fails, because the storage is full or blocked, the change to the job `id` is kept in memory. */
function write(jobs, id) {
  try {
    localStorage.setItem(key, JSON.stringify(jobs.slice(0, most)));
    unstored.clear();
  } catch {
    const changed = jobs.find((job) => job.id === id);
    if (changed || stored().some((job) => job.id === id)) unstored.set(id, changed); else unstored.delete(id);
  }
  changes.dispatchEvent(new Event("change"));
}

/** Newest first. */
export const jobs = () => read();

/** Whether every job is stored and therefore outlives the tab. */
export const isLasting = () => !isBlocked && unstored.size === 0;

export function add(job) { write([job, ...read().filter((other) => other.id !== job.id)], job.id); }

/** Changes members of a job; a job that was removed in another tab remains removed. */
export function update(id, members) {
  const all = read();
  const found = all.find((job) => job.id === id);
  if (!found) return;
  const before = JSON.stringify(found);
  Object.assign(found, members);
  if (JSON.stringify(found) !== before) write(all, id);
}

export function remove(id) { write(read().filter((job) => job.id !== id), id); }

/** Calls back after every change, including changes in other tabs. */
export function onChange(action) {
  changes.addEventListener("change", action);
  addEventListener("storage", (event) => { if (event.key === key || event.key === null) action(); });
}
