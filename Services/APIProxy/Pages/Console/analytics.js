// The quality of enrichment, by day and provider, and the ISBNs that fail or were reported.
import { chart } from "./chart.js";
import { minute, now } from "./clock.js";
import { count, make, number } from "./dom.js";
import { graph } from "./graph.js";
import { chip, fill, menu, panel, pipelineNames, Poller, table, title, when } from "./parts.js";
import { fields, measured, measures, percent, providerNames, providerSums, sum, usedFields, usedShare } from "./quality.js";
import { get, reason } from "./session.js";

const day = 86400e3;
const periods = [["7", "7 days"], ["30", "30 days"], ["90", "90 days"], ["400", "400 days"]];
const kinds = ["main", "second", "third", "bad"];

export function analytics(place, query) {
  const days = Number(query.get("days")) || 30;
  const pipeline = query.get("pipeline") ?? "";
  const [body, isbns] = [make("div", {}), make("div", {})];
  const form = make("form", { class: "filters", submit: (event) => event.preventDefault() },
    menu("days", "The last", periods, String(days), apply),
    menu("pipeline", "Kind", [["", "any kind"], ...Object.entries(pipelineNames)], pipeline, apply));
  place.replaceChildren(title("Analytics"), form, body, isbns);

  function apply() {
    const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    location.hash = `#analytics?${wanted}`;
  }

  return new Poller(async () => {
    const failing = get("/isbns").catch((error) => ({ problem: reason(error) }));
    const all = (await get(`/analytics?since=${now() - days * day}`)).days;
    const shown = all.filter((one) => !pipeline || one.pipeline === pipeline);
    fill(body, [shown, days], () => quality(shown, days));
    const answer = await failing;
    fill(isbns, [answer, minute()], () => failures(answer));
  }, 60e3);
}

function quality(days, period) {
  if (days.length === 0) return make("p", { class: "empty" }, "No results in this period.");
  const total = sum(days.map((one) => one.counts));
  return [
    make("div", { class: "panels" }, make("div", {}, targets(total), graphs(days, period)), answers(providerSums(days))),
    byDay(days)];
}

const targets = (total) => panel("Comparison with the targets", measures.map((measure) => {
  const value = measure.value(total);
  return make("div", { class: "target" },
    make("p", { class: "gauge" }, make("span", {}, measure.name), make("span", { class: "value" }, measured(measure, total)),
      make("meter", { min: 0, max: 100, low: measure.target, optimum: 100, value: value ?? 0, "aria-label": measure.name })),
    make("p", { class: "faint" }, value == null ? "nothing to measure" : chip(value > measure.target ? "reached" : "missed", value > measure.target ? "good" : "warn"),
      ` above ${measure.target}${measure.unit}, of ${count(measure.of(total), measure.base)}`));
}));

const answers = (providers) => panel("Responses used, by provider",
  make("p", { class: "faint" }, "The share of each provider's responses that contributed a field to a result, estimated from its most used field."),
  make("div", { class: "charts" }, providers.map((one) => chart(`${one.provider}: ${percent(usedShare(one))} of ${count(one.answered, "response")}`, "responses",
    usedFields(one).map((field) => ({ text: field.text, count: field.share ?? 0 })), 100, (row) => percent(row.count)))));

/** One point per day, oldest first; the days of all shown pipelines are combined. */
function points(days) {
  const names = [...new Set(days.map((one) => one.day))].sort();
  return names.map((name) => {
    const own = days.filter((one) => one.day === name);
    return { at: Math.min(now(), Date.parse(`${name}T12:00:00Z`)), counts: sum(own.map((one) => one.counts)), providers: providerSums(own) };
  });
}

function graphs(days, length) {
  const all = points(days);
  const period = { length: length * day, name: `the last ${count(length, "day")}`, hasDots: length <= 30 };
  const providers = providerNames(days).slice(0, kinds.length);
  const line = (measure, kind) => ({ name: measure.short, kind, unit: measure.unit, value: ({ counts }) => measure.value(counts) });
  return make("div", { class: "graphs" },
    graph("Books", all, [{ name: "all", kind: "main", value: ({ counts }) => counts.books }, { name: "without a result", kind: "bad", value: ({ counts }) => counts.books - counts.found }], period),
    graph("Matches and covers", all, [line(measures[0], "main"), line(measures[1], "second")], period),
    graph("Authors and quality", all, [line(measures[2], "main"), line(measures[3], "second")], period),
    providers.length > 0 && graph("Responses used", all, providers.map((provider, place) => ({ name: provider, kind: kinds[place], unit: "%",
      value: (point) => { const own = point.providers.find((one) => one.provider === provider); return own ? usedShare(own) : null; } })), period));
}

function byDay(days) {
  const providers = providerNames(days);
  return panel("By day and provider",
    make("p", { class: "faint" }, "Days are the UTC days on which jobs were accepted. For each provider: how many of its responses were used."),
    table("Quality by day and provider", [["Day", "day"], "Kind", ["Books", "num"], ["Found", "num"], ...measures.map(({ short }) => [short, "num"]), ...providers.map((name) => [name, "num"])],
      days.map((one) => [one.day, pipelineNames[one.pipeline] ?? one.pipeline, number(one.counts.books), number(one.counts.found),
        ...measures.map((measure) => measured(measure, one.counts)),
        ...providers.map((name) => {
          const own = one.providers.find(({ provider }) => provider === name);
          return own ? [percent(usedShare(own)), make("span", { class: "faint" }, ` of ${number(own.answered)}`)] : "–";
        })])));
}

function failures({ isbns, total, problem }) {
  if (problem) return make("p", { class: "notice" }, `Failing ISBNs cannot be listed: ${problem}`);
  return panel("ISBNs that fail or were reported by readers",
    isbns.length < total ? make("p", { class: "faint" }, `The newest ${number(isbns.length)} of ${number(total)}; `, make("code", {}, "bookstrack analytics --failing"), " lists more.") : false,
    table("ISBNs that fail or were reported", ["ISBN", ["Failed", "num"], "Last reason", "First", "Last", ["Reports", "num"], "Missing", "Note"],
      isbns.map((one) => [make("a", { class: "id", href: `#jobs?q=${one.isbn}` }, one.isbn), number(one.attempts), one.code ? make("code", {}, one.code) : "–",
        one.firstFailedAt ? when(1000 * one.firstFailedAt) : "–", when(1000 * Math.max(one.lastFailedAt ?? 0, one.reportedAt ?? 0)), number(one.reports),
        one.fields.map((field) => fields[field] ?? field).join(", ") || "–", one.note ? make("bdi", {}, one.note) : "–"]),
      "No ISBNs have failed or been reported."));
}
