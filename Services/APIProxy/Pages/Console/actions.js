// Actions on one or more jobs, after a confirmation.
import { announce, count, make } from "./dom.js";
import { confirmed, failed, jobLink, panel, problem, table } from "./parts.js";
import { mayAct, post } from "./session.js";

const priorities = ["high", "normal", "low"];
const questions = {
  cancel: (jobs) => [`Cancel ${jobs}?`, "Books without a result will not be looked up, and uploaded files will be deleted. This cannot be undone.", "Cancel now"],
  retry: (jobs) => [`Retry the failed books of ${jobs}?`, "They will be looked up again now. Open jobs and jobs that were retried within the last minute are skipped.", "Retry"],
  prioritize: (jobs, priority) => [`Set the priority of ${jobs} to ${priority}?`, "Books that a worker has already claimed are not affected.", "Change priority"],
};

/** Asks for confirmation, acts, and shows each job's outcome in `place`. Calls `finished` if the service has responded with outcomes. */
async function act(action, ids, priority, place, finished) {
  if (!await confirmed(...questions[action](count(ids.length, "job"), priority))) return;
  problem("");
  try {
    const outcomes = await post("/jobs/actions", { action, jobs: ids, ...(priority ? { priority } : {}) });
    const done = outcomes.filter((one) => one.isDone).length;
    announce(`${count(done, "job")} done, ${outcomes.length - done} failed`);
    place.replaceChildren(outcomes.length === 1
      ? make("p", { class: outcomes[0].isDone ? "success" : "notice" }, outcomes[0].outcome)
      : panel("Outcome", table("Outcome of the action", ["Job", "Outcome"], outcomes.map((one) => [jobLink(one.jobId), one.outcome]))));
    finished();
  } catch (error) {
    failed(error);
  }
}

/** Buttons for the jobs in `ids()`; nothing if the console is read-only. `place` shows outcomes. */
export function actions(ids, place, finished) {
  if (!mayAct()) return [];
  const run = (action, priority) => ids().length > 0 && act(action, ids(), priority, place, finished);
  const priority = make("select", { id: "new-priority", change: () => { const value = priority.value; priority.value = ""; if (value) run("prioritize", value); } },
    make("option", { value: "" }, "Priority…"), priorities.map((value) => make("option", { value }, value)));
  return [
    make("button", { type: "button", class: "plain", click: () => run("retry") }, "Retry failed"),
    make("label", { class: "hidden", for: "new-priority" }, "Change priority"), priority,
    make("button", { type: "button", class: "plain danger", click: () => run("cancel") }, "Cancel"),
  ];
}
