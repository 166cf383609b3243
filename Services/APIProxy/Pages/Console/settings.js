// The effective settings of each process, and where each comes from. Secrets never leave their process.
import { make } from "./dom.js";
import { chip, input, panel, Poller, table, title } from "./parts.js";
import { get } from "./session.js";

/** Names, paths and lists of addresses have no spaces to break at, so they may be broken after any of their parts. */
const breakable = (text) => text.match(/(?:[a-z]+:\/\/)?[^/,_]*[/,_]?/g).flatMap((part) => [part, make("wbr", {})]);

export function settings(place) {
  const list = make("div", {});
  let parts = [];
  const search = input("find", "Find", { type: "search", input: show });
  const changed = make("input", { type: "checkbox", id: "changed", change: show });
  place.replaceChildren(title("Effective settings"), make("form", { class: "filters", submit: (event) => event.preventDefault() }, search,
    make("label", { class: "option" }, changed, "Only those that are set")), list);

  function show() {
    const word = search.querySelector("input").value.toUpperCase();
    list.replaceChildren(...parts.map((part) => panel(part.name,
      part.failure ? make("p", { class: "notice" }, part.failure) : table(`Settings of ${part.name}`, [["Variable", "variable"], ["Value", "breakable"], "From"],
        part.settings.filter((one) => one.name.toUpperCase().includes(word) && (!changed.checked || !one.isDefault))
          .map((one) => [make("code", {}, breakable(one.name)), one.value === "" ? make("span", { class: "faint" }, "none") : breakable(one.value), one.isDefault ? make("span", { class: "faint" }, "default") : chip(breakable(one.source), "live source")]),
        "None."))));
  }

  return new Poller(async () => { parts = await get("/settings"); show(); }, 3600e3);
}
