// The jobs that this browser started, kept in sync with its storage.
import { Job } from "./job.js";
import * as store from "./store.js";

const known = new Map();
const listeners = new Set();

/** The jobs, newest first. */
export function all() {
  const records = store.jobs();
  const ids = new Set(records.map((record) => record.id));
  for (const [id, job] of known) if (!ids.has(id)) { job.close(); known.delete(id); }
  return records.map((record) => {
    const job = known.get(record.id);
    if (!job) known.set(record.id, new Job(record));
    else if (JSON.stringify(job.record) !== JSON.stringify(record)) job.stored = record;
    return known.get(record.id);
  });
}

export const find = (id) => all().find((job) => job.id === id);
export const onList = (action) => listeners.add(action);
export const remove = (id) => store.remove(id);
export const isLasting = () => store.isLasting();

/** Stores a job that has been started. */
export function start(record) {
  store.add({ createdAt: Date.now(), state: "running", ...record });
  return find(record.id);
}

store.onChange(() => { for (const listener of listeners) listener(); });
