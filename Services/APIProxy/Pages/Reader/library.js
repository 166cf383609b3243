// A library file: a preview with each column's meaning, and the import.
import { call, Failure } from "./api.js";
import { apps, evidence, roles } from "./columns.js";
import { byId, count, make, pause } from "./dom.js";
import { start } from "./jobs.js";

const repeatable = new Set(["authors", "shelves", "tags", "notes"]);
/** Menu changes within this time lead to a single preview. */
const changePause = 400;
/** The minimum and maximum seconds after which a failed preview is requested again automatically. */
const [shortestWait, longestWait] = [3, 120];
const linesShown = 4;

/** A column's values in the first books. */
function sample(column, books) {
  const values = books.map((book) => {
    const raw = book.raw?.[column.header || String(column.index)];
    if (raw !== undefined) return raw;
    const dates = book.datesRead?.[0] || {};
    const value = { author: book.authors?.[0], authors: book.authors?.slice(1).join(", "), dateRead: dates.end, dateStarted: dates.start,
      status: book.statusRaw ?? book.status, rating: book.ratingRaw ?? book.rating, series: book.series?.name, position: book.series?.position,
      isbn: book.isbn }[column.role] ?? book[column.role] ?? book.ids?.[column.role];
    return Array.isArray(value) ? value.join(", ") : value;
  });
  return [...new Set(values.filter((value) => value !== undefined && value !== "").map(String))].slice(0, 3).join(" · ");
}

export class LibraryPreview {
  #file; #mapping = {}; #asking = null; #timer; #body; #problem; #again; #import; #enrich; #started; #failed; #isImporting = false; #isLeft = false;

  /** `started` is called with the job. If the import cannot be started and the reader has left the preview, `failed` is called with the reason. */
  constructor(file, started, failed) {
    this.#file = file;
    this.#started = started;
    this.#failed = failed;
    this.#body = make("div", { "aria-live": "off" }, make("p", { class: "faint" }, "Reading the file…"));
    this.#problem = make("p", { class: "notice", role: "alert", hidden: true });
    this.#again = make("button", { type: "button", class: "plain", hidden: true, click: () => this.#ask() }, "Try again");
    this.#import = make("button", { type: "button", disabled: true, click: () => this.#begin() }, "Import");
    this.#enrich = make("input", { type: "checkbox", id: "enrich", checked: true });
    byId("preview").replaceChildren(
      make("p", {}, make("a", { href: "#home" }, "← Back")),
      make("h1", { id: "preview-title", tabindex: "-1" }, file.name), this.#problem, make("p", {}, this.#again), this.#body,
      make("div", { class: "commit" },
        make("p", { class: "option" }, this.#enrich, make("label", { for: "enrich" }, "Find covers, authors and details")),
        this.#import));
    byId("preview-title").focus();
    this.#ask();
  }

  close() {
    this.#isLeft = true;
    this.#stopAsking();
  }

  #stopAsking() { this.#asking?.abort(); clearTimeout(this.#timer); }

  #form() {
    const form = new FormData();
    form.append("file", this.#file, this.#file.name);
    if (Object.keys(this.#mapping).length > 0) form.append("mapping", JSON.stringify(this.#mapping));
    return form;
  }

  /** Requests a preview with the column meanings that the reader has chosen. */
  async #ask() {
    this.#stopAsking();
    const { signal } = this.#asking = new AbortController();
    try {
      const preview = await call("/v1/csv/preview", { method: "POST", body: this.#form(), signal });
      this.#say("");
      this.#show(preview);
    } catch (failure) {
      if (signal.aborted) return;
      if (!(failure instanceof Failure)) throw failure;
      this.#say(failure.message, failure.isPassing);
      if (failure.isPassing) {
        // An import waits for a busy service, and has more time for a large file than a preview has.
        this.#allow(true);
        return this.#askLater(failure.retryAfter, signal);
      }
      this.#allow(false);
      if (failure.code === "CSV_PARSE_ERROR" && failure.details.columns?.length > 0) return this.#choose(failure.details.columns, signal);
      if (!this.#body.querySelector("table")) this.#body.replaceChildren();
    }
  }

  async #askLater(seconds = 0, signal) {
    if (!this.#body.querySelector("table")) this.#body.replaceChildren();
    if (seconds > longestWait) return;
    await pause(Math.max(shortestWait, seconds) * 1000);
    if (!signal.aborted && !this.#isImporting) this.#ask();
  }

  #say(text, mayPass = false) {
    this.#problem.textContent = text;
    this.#problem.hidden = !text;
    if (!mayPass && document.activeElement === this.#again) byId("preview-title").focus();
    this.#again.hidden = !mayPass;
  }

  #allow(isUsable) {
    this.#import.disabled = !isUsable || this.#isImporting;
    if (!isUsable) this.#import.textContent = "Import";
  }

  #show({ source, totalRows, books, errors, duplicates }) {
    const unsure = source.columns.filter((column) => !column.role).length;
    this.#draw(
      make("p", { role: "status" }, `${source.format === "unknown" ? "A table" : `Looks like ${apps[source.format] || source.format}`}: `
        + `${count(totalRows, "row")}, ${count(source.columns.length, "column")}`
        + (unsure > 0 ? `, ${unsure} not used` : "") + (duplicates > 0 ? `, ${count(duplicates, "duplicate")}` : "") + "."),
      source.columns.length > 0 && this.#table(source.columns, books),
      make("h2", {}, "First books"),
      books.length === 0 ? make("p", { class: "empty" }, "None of the first rows is a book.")
        : make("ul", { class: "first" }, books.slice(0, 6).map((book) => make("li", {}, make("span", { class: "title" }, book.title || book.isbn),
          make("span", { class: "author" }, book.author)))),
      errors.length > 0 && make("details", {}, make("summary", {}, `${errors.length} of the first rows cannot be used`),
        make("ul", {}, errors.map((error) => make("li", {}, `Line ${error.lineNumber}: ${error.error}`)))));
    this.#allow(true);
    this.#import.textContent = `Import ${count(totalRows, "row")}`;
  }

  /** For a file in which the service recognizes no column with titles, so the reader has to choose. `names` are the columns' headers or numbers. */
  async #choose(names, signal) {
    const columns = names.map((name, index) => ({ index, header: name === String(index) ? "" : name, role: this.#mapping[index],
      by: this.#mapping[index] && "request" }));
    // A file that is not UTF-8 looks wrong here, but is imported correctly.
    const start = await this.#file.slice(0, 2000).text().catch(() => "");
    if (signal.aborted) return;
    this.#say("");
    this.#draw(
      make("p", { class: "notice", role: "status" }, "No column looks like a title. Choose the meaning of your columns: at least the one that has titles or ISBNs."),
      this.#table(columns, []),
      make("h2", {}, "First lines"),
      make("pre", { class: "scroll lines", tabindex: "0", role: "group", "aria-label": "First lines of the file" },
        start.split(/\r\n|\r|\n/).slice(0, linesShown).join("\n")));
  }

  /** Replaces the body and keeps the focus in it. */
  #draw(...nodes) {
    const focus = document.activeElement?.id;
    this.#body.replaceChildren(make("div", {}, nodes));
    if (focus) byId(focus)?.focus();
  }

  #table(columns, books) {
    const taken = new Set(columns.map((column) => column.role));
    const heads = ["Column", "Meaning", books.length > 0 && "First cells", "Recognized"].filter(Boolean);
    return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Columns in the file" },
      make("table", {}, make("thead", {}, make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, columns.map((column) => this.#row(column, books, taken)))));
  }

  #row(column, books, taken) {
    const name = column.header || `Column ${column.index + 1}`;
    const isFree = (role) => role === column.role || repeatable.has(role) || !taken.has(role);
    const menu = make("select", { id: `role-${column.index}`, "aria-label": `Meaning of ${name}`,
      change: (event) => this.#assign(column.index, event.target.value) },
    make("option", { value: "ignore" }, "Not used"),
    Object.entries(roles).filter(([role]) => isFree(role)).map(([role, text]) => make("option", { value: role, selected: role === column.role }, text)));
    const why = evidence(column);
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, menu),
      books.length > 0 && make("td", {}, make("span", { class: "cells" }, sample(column, books))),
      make("td", { class: "faint" }, why));
  }

  #assign(index, role) {
    this.#mapping[index] = role;
    this.#stopAsking();
    this.#timer = setTimeout(() => this.#ask(), changePause);
  }

  async #begin() {
    this.#isImporting = true;
    this.#stopAsking();
    this.#import.disabled = true;
    const form = this.#form();
    if (this.#enrich.checked) form.append("enrich", "true");
    try {
      const started = await call("/v1/csv/import", { method: "POST", body: form });
      this.#started(start({ id: started.jobId, token: started.token, kind: "library", name: this.#file.name, state: "reading",
        link: started.enrichment && { id: started.enrichment.jobId, token: started.enrichment.token } }));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (this.#isLeft) return this.#failed(`“${this.#file.name}” was not imported. ${failure.message}`);
      this.#isImporting = false;
      this.#say(failure.message);
      this.#allow(true);
    }
  }
}
