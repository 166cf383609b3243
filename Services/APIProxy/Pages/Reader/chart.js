// Bars as a table, so that screen readers can read a chart; shared by the page for readers and the console.
import { drawing, make, number } from "./dom.js";

/** `rows` are `{ text, count, kind }`; a bar for `largest` has the full length, and `figure` formats a row's count. */
export function chart(title, noun, rows, largest = Math.max(1, ...rows.map((row) => row.count)), figure = (row) => number(row.count)) {
  const bar = (row) => drawing("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("rect", { class: row.kind, width: Math.max(1, 100 * row.count / largest), height: 10, rx: 1 }));
  return make("table", { class: "chart" }, make("caption", {}, title),
    make("thead", { class: "hidden" }, make("tr", {}, ["Value", "Share", `Number of ${noun}`].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, rows.map((row) => make("tr", {},
      make("th", { scope: "row" }, row.text), make("td", {}, bar(row)), make("td", { class: "figure" }, figure(row))))));
}
