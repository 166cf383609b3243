// The audit log: every action of operators, newest first.
import { make } from "./dom.js";
import { who } from "./jobpage.js";
import { fill, jobLink, Poller, table, title, when } from "./parts.js";
import { get } from "./session.js";

/** Actions whose subject is a provider; that of all others is a job. */
const ofProviders = ["resume", "allow", "useKey"];
const subject = ({ action, subject }) => !subject ? "–" : ofProviders.includes(action.split(" ")[0]) ? make("a", { href: "#providers" }, subject) : jobLink(subject);

export function audit(place) {
  const list = make("div", {});
  const starts = [];
  place.replaceChildren(title("Audit log"), list);
  const move = (action) => () => { action(); poller.now(); };
  const poller = new Poller(async () => {
    const page = await get(`/audit?limit=50${starts.length ? `&before=${starts.at(-1)}` : ""}`);
    fill(list, [page, starts.length, Math.floor(Date.now() / 60e3)], () => [
      table("Operator actions", ["When", "Action", "On", "Outcome", "Who"],
        page.entries.map((one) => [when(one.at), one.action, subject(one), one.outcome, who(one)]),
        "No operator actions yet."),
      make("p", { class: "line pager" },
        make("button", { type: "button", id: "newer", class: "plain", disabled: starts.length === 0, click: move(() => starts.pop()) }, "Newer"),
        make("button", { type: "button", id: "older", class: "plain", disabled: !page.hasMore, click: move(() => starts.push(page.entries.at(-1).number)) }, "Older")),
    ]);
  }, 10e3);
  return poller;
}
