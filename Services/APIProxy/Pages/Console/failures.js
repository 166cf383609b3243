// Why books have no result, most frequent first.
import { now } from "./clock.js";
import { count, make, number } from "./dom.js";
import { fill, jobLink, menu, panel, pipelineNames, Poller, table, title } from "./parts.js";
import { get } from "./session.js";
import { state } from "./providers.js";

const ages = [["3600", "last hour"], ["86400", "last day"], ["604800", "last week"]];
const advice = {
  NOT_FOUND: "No provider has the book. A corrected ISBN or title may help.",
  PROVIDER_TIMEOUT: "Providers did not respond in time. Check them, then retry the jobs.",
  PROVIDER_ERROR: "Providers responded with errors. Check them, then retry the jobs.",
  QUOTA_EXHAUSTED: "A daily budget or a provider's own quota is used up. The Providers view shows when calls resume, and lets you extend today's budget; then retry the jobs.",
  INVALID_ISBN: "The book has neither a valid ISBN nor a title. Retrying does not help.",
  DEADLINE_EXCEEDED: "The job reached its limit of 24 hours. Check whether a worker was running.",
};

export function failures(place, query) {
  const age = query.get("age") ?? "86400";
  const [list, providers] = [make("div", {}), make("div", {})];
  place.replaceChildren(title("Failures"), make("form", { class: "filters" },
    menu("age", "Jobs from the", ages, age, (event) => { location.hash = `#failures?age=${event.target.value}`; })), list, providers);
  return new Poller(async () => {
    const [found, { hour, workers }] = await Promise.all([get(`/failures?from=${now() - 1000 * age}`), get("/providers")]);
    fill(list, found, () => panel("Books without a result, by reason",
      make("p", { class: "faint" }, `${count(found.items, "book")} counted${found.isPartial ? "; the time limit was reached before older jobs were counted" : ""}.`),
      table("Failures by reason", ["Reason", "Kind", ["Books", "num"], ["Retries planned", "num"], "What to do", "Newest jobs"],
        found.groups.map((group) => [
          [make("code", {}, group.errorCode), group.example ? make("span", { class: "faint" }, ` ${group.example}`) : false].filter(Boolean),
          pipelineNames[group.pipeline] ?? group.pipeline, number(group.count), number(group.retrying), `${advice[group.errorCode] ?? "See the job."}${group.retrying ? " Planned retries are automatic." : ""}`,
          make("ul", { class: "plainlist" }, group.jobs.slice(0, 3).map((job) => make("li", {}, jobLink(job))))]),
        "No books have failed.")));
    const failing = hour.filter((one) => one.failed > 0);
    const figure = (name) => workers.flatMap((worker) => worker.providers).find((one) => one.name === name);
    fill(providers, failing, () => panel("Failed calls to providers, last hour",
      table("Failed calls by provider", ["Provider", "State", ["Calls", "num"], ["Failed", "num"], "Outcomes"],
        failing.map((one) => [make("a", { href: "#providers" }, one.name), figure(one.name) ? state(figure(one.name)) : "–", number(one.calls), number(one.failed),
          Object.entries(one.outcomes).filter(([outcome]) => outcome !== "ok").map(([outcome, calls]) => `${outcome} ${number(calls)}`).join(", ")]),
        "No calls have failed.")));
  }, 10e3);
}
