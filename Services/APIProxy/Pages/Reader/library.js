// A library file: a preview with the meaning of each column, and its import.
import { call, Failure } from "./api.js";
import { apps, evidence, roles } from "./columns.js";
import { byId, count, make } from "./dom.js";
import { start } from "./jobs.js";

const repeatable = new Set(["authors", "shelves", "tags", "notes"]);
/** What the first books have in a column. */
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
  #file; #mapping = {}; #asking = null; #timer; #body; #problem; #import; #enrich; #started;

  /** `started` is called with the job. */
  constructor(file, started) {
    this.#file = file;
    this.#started = started;
    this.#body = make("div", { "aria-live": "off" }, make("p", { class: "faint" }, "Reading the file…"));
    this.#problem = make("p", { class: "notice", role: "alert", hidden: true });
    this.#import = make("button", { type: "button", disabled: true, click: () => this.#begin() }, "Import");
    this.#enrich = make("input", { type: "checkbox", id: "enrich", checked: true });
    byId("preview").replaceChildren(
      make("p", {}, make("a", { href: "#home" }, "← Back")),
      make("h1", { id: "preview-title", tabindex: "-1" }, file.name), this.#problem, this.#body,
      make("div", { class: "commit" },
        make("p", { class: "option" }, this.#enrich, make("label", { for: "enrich" }, "Find covers, authors and details")),
        this.#import));
    byId("preview-title").focus();
    this.#ask();
  }

  close() { this.#asking?.abort(); clearTimeout(this.#timer); }

  #form() {
    const form = new FormData();
    form.append("file", this.#file, this.#file.name);
    if (Object.keys(this.#mapping).length > 0) form.append("mapping", JSON.stringify(this.#mapping));
    return form;
  }

  async #ask() {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    this.#import.disabled = true;
    try {
      const preview = await call("/v1/csv/preview", { method: "POST", body: this.#form(), signal: asking.signal });
      this.#problem.hidden = true;
      this.#show(preview);
    } catch (failure) {
      if (asking.signal.aborted) return;
      if (!(failure instanceof Failure)) throw failure;
      this.#fail(failure);
      if (!this.#body.querySelector("table")) this.#body.replaceChildren();
    }
  }

  #fail(failure) {
    this.#problem.textContent = failure.message;
    this.#problem.hidden = false;
  }

  #show({ source, totalRows, books, errors, duplicates }) {
    const focus = document.activeElement?.id;
    const unsure = source.columns.filter((column) => !column.role).length;
    const taken = new Set(source.columns.map((column) => column.role));
    this.#body.replaceChildren(make("div", {},
      make("p", { role: "status" }, `${source.format === "unknown" ? "A table" : `Looks like ${apps[source.format] || source.format}`}: `
        + `${count(totalRows, "row")}, ${count(source.columns.length, "column")}`
        + (unsure > 0 ? `, ${unsure} not used` : "") + (duplicates > 0 ? `, ${count(duplicates, "duplicate")}` : "") + "."),
      source.columns.length > 0 && make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Columns of the file" },
        make("table", {}, make("thead", {}, make("tr", {}, ["Column", "Meaning", "First cells", "Recognised"].map((text) => make("th", { scope: "col" }, text)))),
          make("tbody", {}, source.columns.map((column) => this.#row(column, books, taken))))),
      make("h2", {}, "The first books"),
      books.length === 0 ? make("p", { class: "empty" }, "No column has titles or ISBNs yet. Choose the one that does.")
        : make("ul", { class: "first" }, books.slice(0, 6).map((book) => make("li", {}, make("span", { class: "title" }, book.title || book.isbn),
          make("span", { class: "author" }, book.author)))),
      errors.length > 0 && make("details", {}, make("summary", {}, `${errors.length} of the first rows cannot be used`),
        make("ul", {}, errors.map((error) => make("li", {}, `Line ${error.lineNumber}: ${error.error}`))))));
    this.#import.disabled = false;
    this.#import.textContent = `Import ${count(totalRows, "row")}`;
    if (focus) byId(focus)?.focus();
  }

  #row(column, books, taken) {
    const name = column.header || `Column ${column.index + 1}`;
    const isFree = (role) => role === column.role || repeatable.has(role) || !taken.has(role);
    const menu = make("select", { id: `role-${column.index}`, "aria-label": `Meaning of ${name}`,
      change: (event) => this.#assign(column.index, event.target.value) },
    make("option", { value: "ignore" }, "Not used"),
    Object.entries(roles).filter(([role]) => isFree(role)).map(([role, text]) => make("option", { value: role, selected: role === column.role }, text)));
    const why = evidence(column);
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, menu), make("td", {}, make("span", { class: "cells" }, sample(column, books))),
      make("td", { class: "faint" }, why));
  }

  #assign(index, role) {
    this.#mapping[index] = role;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 400);
  }

  async #begin() {
    this.#import.disabled = true;
    const form = this.#form();
    if (this.#enrich.checked) form.append("enrich", "true");
    try {
      const started = await call("/v1/csv/import", { method: "POST", body: form });
      this.#started(start({ id: started.jobId, token: started.token, kind: "library", name: this.#file.name, state: "reading",
        link: started.enrichment && { id: started.enrichment.jobId, token: started.enrichment.token } }));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#fail(failure);
      this.#import.disabled = false;
    }
  }
}
