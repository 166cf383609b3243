// The providers: state, latency, outcomes, a test call, and operator actions.
import { now } from "./clock.js";
import { make, number } from "./dom.js";
import { announce, chip, confirmed, entered, facts, failed, fill, latency, panel, Poller, problem, span, table, title, until, when } from "./parts.js";
import { percent, providerSums, usedFields, usedShare } from "./quality.js";
import { get, mayAct, post } from "./session.js";

const breakerWords = { closed: "closed", open: "open", halfOpen: "one probe" };

/** A chip that shows whether a provider works and, if it is not being called, why. */
export function state(provider) {
  if (provider.refusal) return chip("refuses requests", "bad");
  if (provider.fault) return chip("not reachable", "bad");
  if (provider.leftToday === 0) return chip("budget used up", "warn");
  if (provider.breaker !== "closed") return chip(`paused: ${provider.cause ?? "failures"}`, provider.breaker === "open" ? "bad" : "warn");
  if (provider.pausedForMilliseconds) return chip("pause requested", "warn");
  return chip("works", "good");
}

/** The remaining daily budget, and when it resets. */
export const budget = (provider) => provider.leftToday == null ? "no limit"
  : `${number(provider.leftToday)}${provider.dailyBudget == null ? "" : ` of ${number(provider.dailyBudget)}`} left${
    provider.resetsInMilliseconds == null ? "" : `, resets ${until(now() + provider.resetsInMilliseconds)}`}`;

export function providers(place) {
  const [list, results] = [make("div", { class: "panels" }), make("div", { "aria-live": "polite" })];
  const button = make("button", { type: "button", click: probe }, "Test call to each");
  place.replaceChildren(title("Providers", button), results, list);

  async function probe() {
    button.disabled = true;
    problem("");
    results.replaceChildren(make("p", { class: "faint" }, "Calling each provider once, without a key…"));
    try {
      const { providers } = await post("/probe");
      results.replaceChildren(panel("Test calls", table("Test calls", ["Provider", "Response", ["Time", "num"], "Address"],
        providers.map((one) => [one.provider,
          one.status == null ? [chip("no response", "bad"), ` ${one.failure ?? ""}`] : chip(`responds, status ${one.status}`, one.status < 500 ? "good" : "bad"),
          latency(one.milliseconds), make("span", { class: "id" }, one.address)]))));
      announce(`${providers.filter((one) => one.status != null).length} of ${providers.length} providers responded`);
    } catch (error) {
      results.replaceChildren();
      failed(error);
    }
    button.disabled = false;
  }

  /** Acts, and shows each worker's outcome. */
  async function act(provider, action, values = {}) {
    problem("");
    try {
      const outcomes = await post("/providers/actions", { provider, action, ...values });
      results.replaceChildren(...outcomes.map((one) => make("p", { class: one.isDone ? "success" : "notice" }, `${provider}: ${one.outcome}`)));
      poller.now();
    } catch (error) {
      failed(error);
    }
  }

  let week = { at: 0, sums: [] };
  const poller = new Poller(async () => {
    const { workers, hour } = await get("/providers");
    if (Date.now() - week.at > 60e3) {
      const answer = await get(`/analytics?since=${now() - 7 * 86400e3}`).catch(() => ({ days: [] }));
      week = { at: Date.now(), sums: providerSums(answer.days) };
    }
    const of = (all, name) => all.find((one) => (one.name ?? one.provider) === name);
    fill(list, [workers.map((worker) => worker.providers.map(settled)), hour, week.sums], () => workers.length === 0 ? make("p", { class: "empty" }, "No worker is connected.")
      : workers.flatMap((worker) => worker.providers.map((provider) => card(worker, provider, workers.length > 1, of(hour, provider.name), of(week.sums, provider.name), act))));
  }, 5000);
  return poller;
}

/** A provider's state; if it changes, the view is redrawn. The time until the budget resets is rounded up to minutes, so it rarely changes. */
const settled = (provider) => ({ ...provider, resetsInMilliseconds: provider.resetsInMilliseconds && Math.ceil(provider.resetsInMilliseconds / 60e3) });

/** An operator's actions on a provider; nothing if the console is read-only. */
function acts(provider, act) {
  if (!mayAct()) return false;
  const { name } = provider;
  const button = (text, id, click) => make("button", { type: "button", class: "plain", id: `${id}-${name}`, "aria-label": `${text.replace("…", "")}: ${name}`, click }, text);
  return make("p", { class: "line" },
    provider.breaker === "closed" ? false : button("Call again now", "resume", async () => {
      if (await confirmed(`Call ${name} again now?`, "Calls resume immediately instead of after the pause. If they fail, calls are paused again.", "Call again")) act(name, "resume");
    }),
    provider.dailyBudget == null ? false : button("Allow more today…", "allow", async () => {
      const requests = await entered(`Allow ${name} more requests today?`, `Today's budget is ${number(provider.dailyBudget)} requests, of which ${number(provider.leftToday)} are left. The remaining requests cannot exceed the budget. The provider's own limit is not known here.`,
        "Allow", "Additional requests", { type: "number", min: 1, max: 1000000, value: Math.max(1, Math.min(100, provider.dailyBudget)), inputmode: "numeric" });
      if (requests) act(name, "allow", { requests: Number(requests) });
    }),
    provider.key ? button("Use another key…", "key", async () => {
      const key = await entered(`Use another key for ${name}?`, "The key takes effect immediately and is lost when enrichment-worker restarts, so add it to the settings, too. It is never shown.",
        "Use it", "Key", { type: "password", maxlength: 500, autocomplete: "off" });
      if (key) act(name, "useKey", { key });
    }) : false);
}

function card(worker, provider, isNamed, hour, week, act) {
  return make("section", { class: "panel provider" },
    make("h2", {}, provider.name, isNamed ? make("span", { class: "faint" }, ` ${worker.name}`) : false, " ", state(provider)),
    provider.refusal ? make("p", { class: "notice" }, `It ${provider.refusal.statement}. Correct `, make("code", {}, provider.refusal.setting),
      " and restart every enrichment-worker; a correction at the provider is noticed automatically.") : false,
    provider.key === "operator" ? make("p", { class: "notice" }, "Calls use a key from the console, which is lost when enrichment-worker restarts. Add it to the settings.") : false,
    provider.fault ? make("p", { class: "notice" }, provider.fault) : false,
    facts([
      ["Breaker", breakerWords[provider.breaker] + (provider.opensForMilliseconds ? `, next try in ${span(provider.opensForMilliseconds)}` : "")],
      ["Daily budget", budget(provider)],
      ["Requested pause", provider.pausedForMilliseconds ? span(provider.pausedForMilliseconds) : null],
      ["Model", provider.model], ["Calls now", `${number(provider.inFlight)} in progress, ${number(provider.waiting)} waiting`],
      ["Calls in the last hour", hour && `${number(hour.calls)}, ${number(hour.failed)} failed`],
      ["Latency", hour?.p50 != null ? `${latency(hour.p50)} median, ${latency(hour.p95)} p95` : null],
      ["Outcomes", hour && Object.keys(hour.outcomes).length ? make("ul", { class: "inline" }, Object.entries(hour.outcomes).sort((one, other) => other[1] - one[1])
        .map(([outcome, calls]) => make("li", {}, `${outcome} ${number(calls)}`))) : null],
      ["Responses used, last 7 days", week && week.answered ? [`${percent(usedShare(week))} of ${number(week.answered)}`,
        make("ul", { class: "inline faint" }, usedFields(week).map((field) => make("li", {}, `${field.text} ${percent(field.share)}`)))] : null],
      ["Last failure", hour?.lastFailure ? [`${hour.lastFailure.outcome}, `, when(hour.lastFailure.at)] : null],
      ["Requests since start", number(provider.requests)],
    ]),
    acts(provider, act));
}
