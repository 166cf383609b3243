// One job: its state, timeline, books, photos, watchers, and what operators did. Live until it ends.
import { actions } from "./actions.js";
import { apps, evidence, roles } from "./columns.js";
import { count, make, number } from "./dom.js";
import { Follow } from "./follow.js";
import { bytes, chip, facts, fill, jobLink, menu, panel, pipelineNames, Poller, table, title, until, when } from "./parts.js";
import { Photos } from "./photos.js";
import { get } from "./session.js";

const isOver = (job) => ["completed", "failed", "cancelled"].includes(job.status);
const states = ["queued", "succeeded", "failed", "skipped"];
/** Pauses between two looks: at a job whose events arrive, at one whose events do not, and at one that is over. */
const [followed, unfollowed, ended] = [15e3, 2000, 15e3];
/** Events that come together lead to one look. */
const gathering = 300;

export function jobPage(place, id) {
  const parts = Object.fromEntries(["outcome", "head", "photos", "items", "timeline", "people"].map((name) => [name, make("div", {})]));
  const items = itemList(parts.items, id);
  place.replaceChildren(
    title(id, make("div", { class: "line actions" }, actions(() => [id], parts.outcome, () => poller.now()))),
    parts.outcome, parts.head, parts.photos, parts.items, make("div", { class: "panels" }, parts.timeline, parts.people));
  parts.outcome.setAttribute("aria-live", "polite");
  const photos = new Photos(parts.photos, id);
  let [rest, gathered] = [unfollowed, null];
  const poller = new Poller(async () => {
    const { detail, watchers, audit } = await get(`/jobs/${encodeURIComponent(id)}`);
    rest = isOver(detail.job) && !detail.laterRetries ? ended : unfollowed;
    const version = `${detail.lastSeq}.${detail.resultsRevision}.${detail.laterRetries}.${detail.job.counts.succeeded}.${detail.job.counts.failed}`;
    fill(parts.head, [detail, Math.floor(Date.now() / 60e3)], () => head(detail));
    fill(parts.timeline, detail.events, () => timeline(detail.events));
    fill(parts.people, [watchers, detail.tokens, audit, Math.floor(Date.now() / 60e3)], () => [people(watchers, detail), acts(audit)]);
    if (detail.photos) await photos.refresh(detail.photos, version);
    await items.refresh(version, Boolean(detail.file));
  }, () => (follow.isLive ? followed : rest));
  const follow = new Follow(id, () => {
    gathered ??= setTimeout(() => { gathered = null; poller.now(); }, gathering);
  });
  return { stop() { clearTimeout(gathered); follow.stop(); poller.stop(); photos.close(); } };
}

function head(detail) {
  const { job } = detail;
  const { counts } = job;
  const done = counts.succeeded + counts.failed + counts.skipped;
  return [
    make("p", { class: "line" }, chip(job.status), pipelineNames[job.pipeline] ?? job.pipeline,
      job.source ? make("span", { class: "faint" }, job.source) : false),
    make("progress", { max: Math.max(1, counts.total), value: done, "aria-label": "Books with an outcome" }),
    make("p", {}, `${number(done)} of ${count(counts.total, "book")}: ${number(counts.succeeded)} found, ${number(counts.failed)} failed, ${number(counts.skipped)} skipped`),
    make("div", { class: "panels" },
      panel("Job", facts([
        ["Accepted", when(job.createdAt)], ["First book claimed", when(job.startedAt)], ["Ended", when(job.endedAt)],
        ["Fails at", isOver(job) ? null : when(detail.deadlineAt, until(detail.deadlineAt))],
        ["Results are removed", job.expiresAt ? when(job.expiresAt, until(job.expiresAt)) : null],
        ["Priority", job.priority ?? "by its size"], ["Client", detail.client],
        ["Request", job.requestId ? make("a", { class: "id", href: `#tail?request=${encodeURIComponent(job.requestId)}` }, job.requestId) : null],
        ["Trace", detail.traceId ? make("span", { class: "id" }, detail.traceId) : null],
        ["Newest event", number(detail.lastSeq)], ["Results revision", number(detail.resultsRevision)],
        ["Planned retries", detail.laterRetries ? `${count(detail.laterRetries, "book")}, the first ${until(detail.nextRetryAt)}` : null],
        ["Webhooks waiting", detail.webhooks || null],
        ["Follow it", make("a", { href: `#tail?job=${encodeURIComponent(job.jobId)}` }, "in the tail")]])),
      Object.keys(counts.failures ?? {}).length ? panel("Failures", table("Failures by reason", ["Reason", ["Books", "num"]],
        Object.entries(counts.failures).sort((one, other) => other[1] - one[1]).map(([code, books]) => [make("code", {}, code), number(books)]))) : false,
      detail.file ? file(detail.file) : false),
  ];
}

function file(found) {
  let summary = null;
  try { summary = JSON.parse(found.summary); } catch { /* It is shown without its columns. */ }
  const source = summary?.source;
  return panel("Imported file",
    found.failure ? make("p", { class: "notice" }, found.failure) : false,
    facts([["Name", found.name], ["Size", `${bytes(found.bytesRead)} of ${bytes(found.bytes)} read`],
      ["Format", source && `${apps[source.format] ?? source.format}, ${source.encoding}`],
      ["Rows", summary && [`${number(summary.totalRows)}: ${count(summary.booksCreated, "book")}`, summary.duplicatesSkipped && count(summary.duplicatesSkipped, "duplicate"),
        summary.errorCount && `${number(summary.errorCount)} unusable`, summary.skippedRows && `${number(summary.skippedRows)} not books`].filter(Boolean).join(", ")],
      ["Model asked about columns", found.model], ["Looked up by", found.enrichment ? jobLink(found.enrichment) : null]]),
    source?.columns.length ? table("Columns of the file", ["Column", "Read as", "Recognised"], source.columns.map((column) => [
      column.header || `Column ${column.index + 1}`, column.role ? roles[column.role] ?? column.role : make("span", { class: "faint" }, "not used"), evidence(column) || "–"])) : false);
}

const timeline = (events) => panel("Timeline", events.length === 0 ? make("p", { class: "empty" }, "No events yet.")
  : make("ol", { class: "timeline" }, events.toReversed().map((event) => {
    let frame = null;
    try { frame = JSON.parse(event.frame); } catch { /* A frame that is left out, or that is not JSON, is not shown. */ }
    const status = frame?.payload?.status ?? frame?.payload?.message;
    return make("li", {}, make("details", {},
      make("summary", {}, make("span", { class: "num" }, `#${event.seq}`), ` ${event.kind}`, typeof status === "string" ? make("span", { class: "faint" }, ` ${status}`) : false, " ", when(event.at, new Date(event.at).toLocaleTimeString())),
      make("pre", { tabindex: "0" }, frame ? JSON.stringify(frame, null, 1) : "The frame is too long to show.")));
  })));

function people(watchers, detail) {
  const forms = { webSocket: "WebSocket", eventStream: "event stream", poll: "poll" };
  const acknowledged = (token) => detail.tokens.find((one) => one.number === token)?.acknowledged ?? 0;
  return panel("Watchers", table("Clients watching the job", ["Client", ["Sent", "num"], ["Acknowledged", "num"], ["Skipped", "num"], ["Waiting", "num"]],
    watchers.map((one) => [one.isOperator ? "console page" : `${forms[one.form] ?? one.form}${one.isV1 ? ", v1" : ""}`, `#${one.sent}`, one.token == null ? "–" : `#${acknowledged(one.token)}`, number(one.skipped), bytes(one.waitingBytes)]),
    `No clients are watching. ${count(detail.tokens.length, "valid token")}.`));
}

const acts = (audit) => panel("Operators", table("Operator actions", ["When", "Action", "Outcome", "Who"],
  audit.map((one) => [when(one.at), one.action, one.outcome, who(one)]), "No operator actions on this job."));

export const who = ({ actor }) => [actor.address, actor.session ? make("span", { class: "faint" }, ` session ${actor.session}`) : false].filter(Boolean);

function itemList(place, id) {
  let [state, from, seen, page, starts, isImport] = ["", 0, null, null, [], false];
  async function load() {
    page = await get(`/jobs/${encodeURIComponent(id)}/items?${new URLSearchParams({ from, ...(state ? { state } : {}) })}`);
    fill(place, [page, state, from], show);
  }
  // The books of an import are items of the job that looks them up.
  const show = () => isImport && page.items.length === 0 ? [] : panel("Books",
    menu("item-state", "Show", [["", "all"], ...states.map((name) => [name, name])], state, (event) => { [state, from, starts] = [event.target.value, 0, []]; load(); }),
    table("Books of the job", [["#", "num"], "Asked", "State", "Found", "Providers", ["Retries", "num"], "Why"],
      page.items.map((item) => [number(item.index + 1), [item.title, item.author, item.isbn, item.workId].filter(Boolean).join(" · ") || "–", chip(item.state),
        [item.found, item.matchedBy ? make("span", { class: "faint" }, ` by ${item.matchedBy}`) : null,
          item.candidates?.length ? make("span", { class: "faint" }, ` possible matches: ${item.candidates.join("; ")}`) : null].filter(Boolean),
        item.providers?.join(", ") ?? "–", `${number(item.attempts)}${item.laterRetries ? ` + ${item.laterRetries}` : ""}`,
        item.errorCode ? [make("code", {}, item.errorCode), " ", item.error ?? "", item.retryAt ? make("span", { class: "faint" }, ` retry ${until(item.retryAt)}`) : ""] : "–"]),
      state ? "No matching books." : "No books yet."),
    make("p", { class: "line pager" },
      make("button", { type: "button", id: "items-back", class: "plain", disabled: starts.length === 0, click: () => { from = starts.pop(); load(); } }, "Back"),
      make("button", { type: "button", id: "items-more", class: "plain", disabled: page.next == null, click: () => { starts.push(from); from = page.next; load(); } }, "More")));
  return { refresh(version, isFile) { isImport = isFile; if (version === seen) return undefined; seen = version; return load(); } };
}
