// The console: its views by address, the login and the header.
import { announce, byId } from "./dom.js";
import { analytics } from "./analytics.js";
import { audit } from "./audit.js";
import { doctor } from "./doctor.js";
import { failures } from "./failures.js";
import { jobList } from "./joblist.js";
import { jobPage } from "./jobpage.js";
import { overview } from "./overview.js";
import { failed, problem, stale } from "./parts.js";
import { providers } from "./providers.js";
import { isLocked, load, login, logout, onSession, reason } from "./session.js";
import { settings } from "./settings.js";
import { tail } from "./tail.js";

const views = { overview, jobs: jobList, failures, providers, analytics, tail, doctor, settings, audit };
let current = null;
/** The name of the view shown last. */
let shown = "";

/** The view, its subject and its filters, from the address: `#jobs?status=failed`, `#job/ID`. */
function wanted() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [name, id] = path.split("/");
  // An address that was typed or cut off may have an invalid encoding.
  let decoded = id;
  try { decoded = id && decodeURIComponent(id); } catch { /* It stays as it is. */ }
  return { name: name === "job" && id ? "job" : name in views ? name : "overview", id: decoded, query: new URLSearchParams(query) };
}

function show({ isFirst = false } = {}) {
  current?.stop();
  current = null;
  problem("");
  stale(null);
  byId("confirm").close();
  const focused = byId("view").contains(document.activeElement) ? document.activeElement.id : "";
  const { name, id, query } = wanted();
  byId("views").hidden = isLocked();
  byId("login").hidden = !isLocked();
  byId("view").hidden = isLocked();
  for (const link of byId("views").children) {
    const isHere = link.getAttribute("href") === `#${name === "job" ? "jobs" : name}`;
    if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    // On a narrow screen, the links do not all fit.
    if (isHere) byId("views").scrollLeft = link.offsetLeft - (byId("views").clientWidth - link.offsetWidth) / 2;
  }
  if (isLocked()) {
    byId("view").replaceChildren();
    byId("token").focus();
    document.title = "Log in · BooksTrack console";
    return;
  }
  const place = byId("view");
  current = name === "job" ? jobPage(place, id) : views[name](place, query);
  const head = byId("view-title");
  document.title = `${head.textContent} · BooksTrack console`;
  // A changed filter keeps the focus; a new view starts at its heading.
  if (!isFirst) (shown === name && byId(focused) || head).focus();
  shown = name;
}

onSession((state) => {
  byId("mode").textContent = state.mode === "write" ? "read and write" : "read-only";
  byId("logout").hidden = !state.needsLogin || !state.csrf;
  show({ isFirst: true });
  if (state.hasEnded) problem("Your session has ended. Please log in again.");
});

byId("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await login(byId("token").value);
    byId("token").value = "";
    announce("Logged in");
  } catch (error) {
    problem(reason(error));
    byId("token").select();
  }
});

byId("logout").addEventListener("click", () => logout().catch(failed));
window.addEventListener("hashchange", () => show());
document.addEventListener("visibilitychange", () => {
  // The view's next request reports what is wrong.
  if (!document.hidden) load().catch(() => {});
});

load().catch((error) => problem(reason(error)));
