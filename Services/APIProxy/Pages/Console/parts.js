// Building blocks for the views. Data becomes only text nodes and attributes, never markup.
import { now } from "./clock.js";
import { ago, announce, byId, count, make, number, pause } from "./dom.js";
import { isLocked, reason } from "./session.js";

export const pipelineNames = { batch_enrichment: "Enrichment", csv_import: "Import", ai_scan: "Scan" };
export const statusKinds = {
  pending: "quiet", processing: "live", completed: "good", failed: "bad", cancelled: "quiet", cancelling: "warn",
  ready: "good", degraded: "warn", unavailable: "bad", ok: "good", warning: "warn", problem: "bad", error: "bad",
  canceled: "warn", closed: "good", open: "bad", halfOpen: "warn", queued: "quiet", succeeded: "good", skipped: "quiet",
};

/** A highlighted word; the color only repeats what the word says. */
export const chip = (text, kind = statusKinds[text] ?? "quiet") => make("span", { class: `chip is-${kind}` }, text);

/** A table that becomes a list of cards on narrow screens. `columns` are headings, or `[heading, class]`; a row is a list of cells. */
export function table(caption, columns, rows, empty = "Nothing here.") {
  if (rows.length === 0) return make("p", { class: "empty" }, empty);
  const heads = columns.map((column) => (Array.isArray(column) ? column : [column, ""]));
  return make("div", { class: "tablebox" }, make("table", {},
    make("caption", { class: "hidden" }, caption),
    make("thead", {}, make("tr", {}, heads.map(([head, kind]) => make("th", { scope: "col", class: kind || false }, head)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell, place) =>
      make("td", { class: heads[place][1] || false, "data-label": typeof heads[place][0] === "string" ? heads[place][0] : false }, make("div", {}, cell ?? "–"))))))));
}

/** A list of names and values; missing and empty values are omitted. */
export const facts = (pairs) => make("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
  .map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

/** A section of a view, with a heading. */
export const panel = (title, ...children) => make("section", { class: "panel" }, make("h2", {}, title), children);

export const title = (text, ...more) => make("div", { class: "viewhead" }, make("h1", { tabindex: "-1", id: "view-title" }, text), more);

/** A point in time as its age or another text, with the exact time in the tooltip and the `datetime` attribute; null if there is none. */
export function when(milliseconds, text = ago(milliseconds, now())) {
  if (!milliseconds) return null;
  const date = new Date(milliseconds);
  return make("time", { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** "in 5 minutes", "now". */
export const until = (milliseconds) => milliseconds <= now() ? "now" : `in ${span(milliseconds - now())}`;

const units = [["day", 86400e3], ["hour", 3600e3], ["minute", 60e3], ["second", 1e3]];

/** "2 hours", "350 ms". */
export function span(milliseconds) {
  const found = units.find(([, length]) => milliseconds >= length);
  if (!found) return `${Math.round(milliseconds)} ms`;
  return count(Math.floor(milliseconds / found[1]), found[0]);
}

/** "47 ms", "1.4 s". */
export const latency = (milliseconds) => milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export function bytes(size) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let place = 0;
  while (size >= 1024 && place < names.length - 1) { size /= 1024; place += 1; }
  return `${size >= 100 || place === 0 ? Math.round(size) : size.toFixed(1)} ${names[place]}`;
}

export const short = (value) => value >= 100 || Number.isInteger(value) ? number(Math.round(value)) : value >= 1 ? value.toFixed(1) : value.toFixed(2);

/** A number and its limit as a bar. */
export const gauge = (name, value, limit, text = `${number(value)} of ${number(limit)}`) => make("p", { class: "gauge" },
  make("span", {}, name), make("span", { class: "value" }, text),
  make("meter", { min: 0, max: Math.max(1, limit), value, high: limit * 0.8, "aria-label": name }));

/** Book texts, each in its own direction: a right-to-left title does not change the order of the text around it. */
export const bookTexts = (texts, separator) => texts.filter(Boolean).flatMap((text, place) => [place ? separator : "", make("bdi", {}, text)]);

export const jobLink = (id) => make("a", { href: `#job/${encodeURIComponent(id)}`, class: "id" }, id);

/** A menu with its label. `options` are `[value, text]`. */
export function menu(id, label, options, value, change) {
  return make("label", { for: id, class: "field" }, make("span", {}, label),
    make("select", { id, name: id, change }, options.map(([option, text]) => make("option", { value: option, selected: option === value }, text))));
}

export const input = (id, label, attributes = {}) =>
  make("label", { for: id, class: "field" }, make("span", {}, label), make("input", { id, name: id, type: "text", autocomplete: "off", ...attributes }));

/** The longest pause after a failure, even for data that is otherwise refreshed only once an hour. */
const longestRetry = 5000;

/** Calls `action` immediately and again after each pause while the tab is visible, until `stop`. If a call fails, shows why and continues. */
export class Poller {
  #isOver = false; #isAsked = false; #wake = null;

  constructor(action, pauseLength) {
    const length = typeof pauseLength === "function" ? pauseLength : () => pauseLength;
    (async () => {
      await pause(0);
      while (!this.#isOver) {
        this.#isAsked = false;
        let longest = Infinity;
        try {
          await action();
          if (!this.#isOver) stale(null);
        } catch (error) {
          longest = longestRetry;
          if (!this.#isOver) stale(error);
        }
        if (this.#isOver) return;
        if (!this.#isAsked) await Promise.race([pause(Math.min(length(), longest)), new Promise((resolve) => { this.#wake = resolve; })]);
        await pause(0);
      }
    })();
  }

  /** Refreshes immediately, or once the current response has arrived. */
  now() { this.#isAsked = true; this.#wake?.(); }

  stop() { this.#isOver = true; this.#wake?.(); }
}

/** Shows an error message above the view until the next action or view; an empty text hides it. */
export const problem = (text) => notice("problem", text);

/** Shows above the view why it is not up to date; null hides the message. */
export const stale = (failure) => notice("stale", failure ? `This view is not up to date. ${reason(failure)}` : "");

function notice(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}

/** Shows why an action failed. If the session has ended, the login page reports this. */
export function failed(error) {
  if (!isLocked()) problem(reason(error));
}

/** Replaces the children of `place` unless `key` is the same as before, so that focus and selection stay. */
export function fill(place, key, make) {
  const text = JSON.stringify(key);
  if (place.dataset.key === text) return;
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const name = focused?.id || focused?.getAttribute("href");
  place.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
  place.dataset.key = text;
  if (name) [...place.querySelectorAll("a, button, input, select, summary")].find((node) => node.id === name || node.getAttribute("href") === name)?.focus();
}

/** Asks for confirmation; resolves to whether it was given. */
export const confirmed = (question, detail, verb) => dialogue(question, detail, verb, null);

/** Asks for a value; resolves to it, or to null if the dialog is cancelled. `attributes` are those of the input. */
export const entered = (question, detail, verb, label, attributes) => dialogue(question, detail, verb, input("confirm-value", label, { required: true, autofocus: true, ...attributes }));

function dialogue(question, detail, verb, field) {
  const dialog = byId("confirm");
  return new Promise((resolve) => {
    dialog.replaceChildren(make("form", { method: "dialog" },
      make("h2", { id: "confirm-title" }, question), make("p", {}, detail), field,
      make("p", { class: "line" }, make("button", { value: "yes" }, verb),
        make("button", { value: "no", class: "plain", autofocus: !field, formnovalidate: true }, "Keep as it is"))));
    dialog.addEventListener("close", () => {
      const isMeant = dialog.returnValue === "yes";
      const value = field ? field.querySelector("input").value : true;
      dialog.replaceChildren();
      resolve(isMeant ? value : field ? null : false);
    }, { once: true });
    dialog.returnValue = "no";
    dialog.showModal();
  });
}

export { announce };
