// The list of jobs: search, filters, pages and bulk actions.
import { actions } from "./actions.js";
import { minute, now } from "./clock.js";
import { count, make, number } from "./dom.js";
import { pagesInAddress } from "./pages.js";
import { chip, fill, input, jobLink, menu, pipelineNames, Poller, table, title, when } from "./parts.js";
import { get, mayAct } from "./session.js";

const ages = { "": "any age", 3600: "last hour", 86400: "last day", 604800: "last week" };
const statuses = ["pending", "processing", "completed", "failed", "cancelling", "cancelled"];

export function jobList(place, query) {
  const selected = new Set();
  const pages = pagesInAddress("jobs", query, () => { selected.clear(); mark(); poller.now(); });
  const [list, outcome, chosen] = [make("div", { id: "job-list" }), make("div", { "aria-live": "polite" }), make("span", { class: "faint" })];
  const form = make("form", { class: "filters", role: "search", submit: (event) => { event.preventDefault(); apply(); } },
    input("q", "Search", { type: "search", dir: "auto", value: query.get("q") ?? "", placeholder: "Job ID, request ID or requested title", maxlength: 200, class: "wide" }),
    menu("status", "State", [["", "any state"], ...statuses.map((name) => [name, name])], query.get("status") ?? "", apply),
    menu("pipeline", "Kind", [["", "any kind"], ...Object.entries(pipelineNames)], query.get("pipeline") ?? "", apply),
    menu("age", "Age", Object.entries(ages).sort(([one], [other]) => one - other), query.get("age") ?? "", apply),
    make("button", { type: "submit" }, "Search"));
  const bar = make("div", { class: "bulk", hidden: !mayAct() }, chosen, actions(() => [...selected], outcome, () => { selected.clear(); mark(); poller.now(); }));
  place.replaceChildren(title("Jobs"), form, bar, outcome, list);

  /** Filters are in the address, so that they survive a reload and can be shared. */
  function apply() {
    const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    const address = wanted.size ? `#jobs?${wanted}` : "#jobs";
    // The address does not change if a search is repeated.
    if (location.hash === address) poller.now(); else location.hash = address;
  }

  function address() {
    const wanted = new URLSearchParams({ limit: 50 });
    for (const name of ["q", "status", "pipeline"]) if (query.get(name)) wanted.set(name, query.get(name));
    if (query.get("age")) wanted.set("from", now() - 1000 * query.get("age"));
    if (pages.start) wanted.set("cursor", pages.start);
    return `/jobs?${wanted}`;
  }

  function choose(ids, isChosen) {
    for (const id of ids) if (isChosen) selected.add(id); else selected.delete(id);
    mark();
  }

  /** Shows which jobs are selected. A job that newer jobs have pushed to the next page is deselected, so no action affects a hidden job. */
  function mark() {
    const boxes = [...list.querySelectorAll("tbody input")];
    const ids = new Set(boxes.map((box) => box.value));
    for (const id of selected) if (!ids.has(id)) selected.delete(id);
    for (const box of boxes) box.checked = selected.has(box.value);
    const all = list.querySelector("#choose-all");
    if (all) [all.checked, all.indeterminate] = [selected.size === boxes.length, selected.size > 0 && selected.size < boxes.length];
    chosen.textContent = selected.size ? `${count(selected.size, "job")} selected` : "Select jobs to act on them";
  }

  function show(page) {
    const box = (job) => make("input", { type: "checkbox", id: `choose-${job.jobId}`, value: job.jobId, "aria-label": `Select ${job.jobId}`,
      change: (event) => choose([job.jobId], event.target.checked) });
    const all = make("input", { type: "checkbox", id: "choose-all", "aria-label": "Select all on this page",
      change: (event) => choose(page.jobs.map((job) => job.jobId), event.target.checked) });
    const columns = ["Job", "Kind", "State", ["Books", "num"], ["Failed", "num"], "Priority", "Started"];
    return [
      page.partial ? make("p", { class: "notice" }, "The search stopped after one second, before it reached older jobs. ",
        make("button", { type: "button", class: "plain", click: () => pages.further(page.next) }, "Continue searching")) : false,
      table("Jobs, newest first", mayAct() ? [[all, "check"], ...columns] : columns,
        page.jobs.map((job) => [...(mayAct() ? [box(job)] : []), jobLink(job.jobId), pipelineNames[job.pipeline] ?? job.pipeline, chip(job.status),
          `${number(job.counts.succeeded + job.counts.failed + job.counts.skipped)} of ${number(job.counts.total)}`, number(job.counts.failed),
          job.priority ?? "by size", when(job.createdAt)]),
        page.partial ? "None so far." : "No matching jobs."),
      pages.buttons(page.next),
    ];
  }

  mark();
  const poller = new Poller(async () => {
    const page = await get(address());
    fill(list, [page, pages.start, minute()], () => show(page));
    mark();
    // A search takes up to a second of the server's time, so it is repeated only on request, or after an hour.
  }, () => (query.get("q") ? 3600e3 : 5000));
  return poller;
}
