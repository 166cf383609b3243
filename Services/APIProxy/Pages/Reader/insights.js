// What a job's books have in common, as bars. Each chart is a table, so that screen readers can read it.
import { call, Failure } from "./api.js";
import { chart } from "./chart.js";
import { count, languageName, make, number } from "./dom.js";

const longest = 6;
/** More decades than other values are shown, because they form a timeline, in which gaps would be misleading. */
const longestLine = 12;

/** "1990s", "730s BCE". */
const decadeName = (year) => year.startsWith("-") ? `${year.slice(1)}s BCE` : `${year}s`;

const charts = [
  ["genre", "Genres", "books"], ["decade", "First published", "books", decadeName], ["language", "Languages", "books", languageName],
  ["gender", "Authors by gender", "authors"], ["culturalRegion", "Authors by region", "authors"], ["nationality", "Authors by nationality", "authors"],
];

/** A chart's rows: the most frequent values, all others combined, and the unknown ones. */
function rows({ values, unknown }, label) {
  const isLine = label === decadeName;
  const limit = isLine ? longestLine : longest;
  const top = values.slice(0, limit);
  if (isLine) top.sort((a, b) => Number(a.value) - Number(b.value));
  const shown = top.map((entry) => ({ text: label ? label(entry.value) : entry.value, count: entry.count, kind: "" }));
  const rest = values.slice(limit).reduce((sum, entry) => sum + entry.count, 0);
  if (rest > 0) shown.push({ text: `Others (${number(values.length - limit)})`, count: rest, kind: "is-others" });
  if (unknown > 0) shown.push({ text: "Unknown", count: unknown, kind: "is-unknown" });
  return shown;
}

export class Insights {
  #job; #body = make("div", { class: "charts" }); #note = make("p", { class: "faint", role: "status" }); #asking = null;

  constructor(job) {
    this.#job = job;
    this.node = make("details", { class: "insights", hidden: true, toggle: () => { if (this.node.open) this.#read(); } },
      make("summary", {}, "What these books have in common"), this.#note, this.#body);
  }

  close() { this.#asking?.abort(); }

  draw() { this.node.hidden = this.#job.record.state !== "done" || !(this.#job.books?.length > 1); }

  async #read() {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    if (this.#body.childElementCount === 0) this.#note.textContent = "Counting…";
    const id = encodeURIComponent((this.#job.link || this.#job).id);
    try {
      const data = await call(`/v1/jobs/${id}/insights`, { signal: asking.signal });
      this.#body.replaceChildren(...charts.filter(([fact]) => data[fact].total > 0)
        .map(([fact, title, noun, label]) => chart(title, noun, rows(data[fact], label))));
      this.#note.textContent = `${count(data.found, "book")} by ${count(data.authors, "author")}. Facts about authors come from Wikidata and may arrive later.`;
    } catch (failure) {
      if (asking.signal.aborted) return;
      if (!(failure instanceof Failure)) throw failure;
      this.#note.textContent = failure.isGone ? "There is nothing to count: the books were not looked up, or their results have been deleted." : failure.message;
    }
  }
}
