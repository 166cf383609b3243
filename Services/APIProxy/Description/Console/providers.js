// The providers: state, latency, outcomes, and a test call.
import { make, number } from "./dom.js";
import { announce, chip, facts, fill, latency, panel, Poller, problem, span, table, title, until, when } from "./parts.js";
import { get, post, reason } from "./session.js";

const breakerWords = { closed: "closed", open: "open", halfOpen: "one probe" };

/** What keeps a provider from being called, in a chip. */
export function state(provider) {
  if (provider.refusal) return chip("refuses us", "bad");
  if (provider.fault) return chip("not reachable", "bad");
  if (provider.leftToday === 0) return chip("budget used up", "warn");
  if (provider.breaker !== "closed") return chip(`paused: ${provider.cause ?? "failures"}`, provider.breaker === "open" ? "bad" : "warn");
  if (provider.pausedForMilliseconds) return chip("asked us to wait", "warn");
  return chip("works", "good");
}

/** Midnight in UTC, when daily budgets begin again. */
const reset = () => new Date().setUTCHours(24, 0, 0, 0);

export const budget = (provider) => provider.leftToday == null ? "no limit"
  : provider.leftToday === 0 ? `0 left, again ${until(reset())}` : `${number(provider.leftToday)} left`;

export function providers(place) {
  const [list, results] = [make("div", { class: "panels" }), make("div", { "aria-live": "polite" })];
  const button = make("button", { type: "button", click: probe }, "Test call to each");
  place.replaceChildren(title("Providers", button), results, list);

  async function probe() {
    button.disabled = true;
    results.replaceChildren(make("p", { class: "faint" }, "Calling each provider once, without a key…"));
    try {
      const { providers } = await post("/probe");
      results.replaceChildren(panel("Test calls", table("Test calls", ["Provider", "Answer", ["Time", "num"], "Address"],
        providers.map((one) => [one.provider,
          one.status == null ? [chip("no answer", "bad"), ` ${one.failure ?? ""}`] : chip(`answers, status ${one.status}`, one.status < 500 ? "good" : "bad"),
          latency(one.milliseconds), make("span", { class: "id" }, one.address)]))));
      announce(`${providers.filter((one) => one.status != null).length} of ${providers.length} providers answer`);
    } catch (error) {
      results.replaceChildren();
      problem(reason(error));
    }
    button.disabled = false;
  }

  return new Poller(async () => {
    const { workers, hour } = await get("/providers");
    fill(list, [workers, hour], () => workers.length === 0 ? make("p", { class: "empty" }, "No worker is connected.")
      : workers.flatMap((worker) => worker.providers.map((provider) => card(worker, provider, workers.length > 1, hour.find((one) => one.name === provider.name)))));
  }, 5000);
}

function card(worker, provider, isNamed, hour) {
  return make("section", { class: "panel provider" },
    make("h2", {}, provider.name, isNamed ? make("span", { class: "faint" }, ` ${worker.name}`) : false, " ", state(provider)),
    provider.refusal ? make("p", { class: "notice" }, `It ${provider.refusal.statement}. Correct `, make("code", {}, provider.refusal.setting),
      " and restart enrichment-worker; a correction at the provider is noticed by itself.") : false,
    provider.fault ? make("p", { class: "notice" }, provider.fault) : false,
    facts([
      ["Breaker", breakerWords[provider.breaker] + (provider.opensForMilliseconds ? `, next try in ${span(provider.opensForMilliseconds)}` : "")],
      ["Budget of the day", budget(provider)],
      ["Pause it asked for", provider.pausedForMilliseconds ? span(provider.pausedForMilliseconds) : null],
      ["Model", provider.model], ["Calls now", `${number(provider.inFlight)} under way, ${number(provider.waiting)} waiting`],
      ["Calls in the last hour", hour && `${number(hour.calls)}, ${number(hour.failed)} failed`],
      ["Latency", hour?.p50 != null ? `${latency(hour.p50)} median, ${latency(hour.p95)} p95` : null],
      ["Outcomes", hour && Object.keys(hour.outcomes).length ? make("ul", { class: "inline" }, Object.entries(hour.outcomes).sort((one, other) => other[1] - one[1])
        .map(([outcome, calls]) => make("li", {}, `${outcome} ${number(calls)}`))) : null],
      ["Last failure", hour?.lastFailure ? [`${hour.lastFailure.outcome}, `, when(hour.lastFailure.at)] : null],
      ["Requests since the start", number(provider.requests)],
    ]));
}
