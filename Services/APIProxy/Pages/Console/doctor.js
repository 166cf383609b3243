// What is wrong, and what to do about it.
import { announce, count, make } from "./dom.js";
import { chip, failed, panel, problem, title } from "./parts.js";
import { post } from "./session.js";

export function doctor(place) {
  const list = make("div", { "aria-live": "polite" });
  const button = make("button", { type: "button", click: examine }, "Check again");
  place.replaceChildren(title("Doctor", button), list);
  let isOver = false;

  async function examine() {
    button.disabled = true;
    problem("");
    list.replaceChildren(make("p", { class: "faint" }, "Checking the processes, the disk, the settings, and each provider with one call…"));
    try {
      const findings = await post("/doctor");
      if (!isOver) show(findings);
    } catch (error) {
      list.replaceChildren();
      if (!isOver) failed(error);
    }
    button.disabled = false;
  }

  function show(findings) {
    const of = (verdict) => findings.filter((one) => one.verdict === verdict);
    const sum = `${count(of("problem").length, "problem")}, ${count(of("warning").length, "warning")}, ${of("ok").length} ok`;
    announce(sum);
    const items = (some) => make("ul", { class: "findings" }, some.map((one) => make("li", { class: `is-${one.verdict}` },
      make("p", {}, chip(one.verdict), " ", make("b", {}, one.subject), " ", one.statement),
      one.advice ? make("p", { class: "advice" }, `→ ${one.advice}`) : false)));
    const urgent = [...of("problem"), ...of("warning")];
    list.replaceChildren(make("p", {}, make("strong", {}, sum)),
      urgent.length ? panel("To do", items(urgent)) : make("p", { class: "success" }, "Nothing to do."),
      make("details", { class: "panel" }, make("summary", {}, `Passed checks (${of("ok").length})`), items(of("ok"))),
      make("p", { class: "faint" }, "For more checks, even when no service is running: ", make("code", {}, "bookstrack doctor")));
  }

  examine();
  return { stop() { isOver = true; } };
}
