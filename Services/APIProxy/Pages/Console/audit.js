// The audit log: operator actions, newest first.
import { minute } from "./clock.js";
import { make } from "./dom.js";
import { who } from "./jobpage.js";
import { pagesInAddress } from "./pages.js";
import { fill, jobLink, Poller, table, title, when } from "./parts.js";
import { get } from "./session.js";

/** Actions on providers; all other actions with a subject are on jobs. */
const ofProviders = ["resume", "allow", "useKey"];
const subject = ({ action, subject }) => !subject ? "–" : ofProviders.includes(action.split(" ")[0]) ? make("a", { href: "#providers" }, subject) : jobLink(subject);

export function audit(place, query) {
  const list = make("div", {});
  const pages = pagesInAddress("audit", query, () => poller.now());
  place.replaceChildren(title("Audit log"), list);
  const poller = new Poller(async () => {
    const page = await get(`/audit?limit=50${pages.start ? `&before=${pages.start}` : ""}`);
    fill(list, [page, pages.start, minute()], () => [
      table("Operator actions", ["When", "Action", "On", "Outcome", "Who"],
        page.entries.map((one) => [when(one.at), one.action, subject(one), one.outcome, who(one)]),
        "No operator actions yet."),
      pages.buttons(page.hasMore ? String(page.entries.at(-1).number) : null),
    ]);
  }, 10e3);
  return poller;
}
