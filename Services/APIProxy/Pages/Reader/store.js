// The jobs that this browser started, with their tokens, in its local storage; jobs that cannot be stored are kept until the tab is closed.

const key = "bookstrack.jobs";
const most = 100;
const changes = new EventTarget();
/** The newest state of the jobs that could not be stored, by id. */
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
  const all = new Map([...found, ...unstored.values()].map((job) => [job.id, { ...job }]));
  return [...all.values()].sort((one, other) => other.createdAt - one.createdAt);
}

/** Stores the newest jobs; if that fails, because the storage is full or blocked, `changed` is kept in memory. */
function write(jobs, changed) {
  try {
    localStorage.setItem(key, JSON.stringify(jobs.slice(0, most)));
    unstored.clear();
  } catch {
    if (changed) unstored.set(changed.id, changed);
  }
  changes.dispatchEvent(new Event("change"));
}

/** Newest first. */
export const jobs = () => read();

/** Whether every job is stored and therefore outlives the tab. */
export const isLasting = () => !isBlocked && unstored.size === 0;

export function add(job) { write([job, ...read().filter((other) => other.id !== job.id)], job); }

/** Changes members of a job; a job that was removed in another tab remains removed. */
export function update(id, members) {
  const all = read();
  const found = all.find((job) => job.id === id);
  if (!found) return;
  const before = JSON.stringify(found);
  Object.assign(found, members);
  if (JSON.stringify(found) !== before) write(all, found);
}

export function remove(id) {
  unstored.delete(id);
  write(read().filter((job) => job.id !== id));
}

/** Calls back after every change, including changes in other tabs. */
export function onChange(action) {
  changes.addEventListener("change", action);
  addEventListener("storage", (event) => { if (event.key === key || event.key === null) action(); });
}
