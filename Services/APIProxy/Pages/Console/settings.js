// The settings in force in each process, and where each comes from. Secrets stay in their process.
import { make } from "./dom.js";
import { chip, input, panel, Poller, table, title } from "./parts.js";
import { get } from "./session.js";

export function settings(place) {
  const list = make("div", {});
  let parts = [];
  const search = input("find", "Find", { type: "search", input: show });
  const changed = make("input", { type: "checkbox", id: "changed", change: show });
  place.replaceChildren(title("Settings in force"), make("form", { class: "filters", submit: (event) => event.preventDefault() }, search,
    make("label", { class: "option" }, changed, "Only those that are set")), list);

  function show() {
    const word = search.querySelector("input").value.toUpperCase();
    list.replaceChildren(...parts.map((part) => panel(part.name,
      part.failure ? make("p", { class: "notice" }, part.failure) : table(`Settings of ${part.name}`, ["Variable", ["Value", "breakable"], "From"],
        part.settings.filter((one) => one.name.toUpperCase().includes(word) && (!changed.checked || !one.isDefault))
          .map((one) => [make("code", {}, one.name), one.value === "" ? make("span", { class: "faint" }, "none") : one.value, one.isDefault ? make("span", { class: "faint" }, "default") : chip(one.source, "live")]),
        "None."))));
  }

  return new Poller(async () => { parts = await get("/settings"); show(); }, 3600e3);
}
