// One job: its state, timeline, books, photos, watchers and operator actions. The page is updated live.
import { actions } from "./actions.js";
import { minute } from "./clock.js";
import { apps, evidence, roles } from "./columns.js";
import { count, make, number } from "./dom.js";
import { Follow } from "./follow.js";
import { ItemList } from "./items.js";
import { bytes, chip, facts, fill, jobLink, panel, pipelineNames, Poller, stale, table, title, until, when } from "./parts.js";
import { Photos } from "./photos.js";
import { get } from "./session.js";
import { Timeline } from "./timeline.js";

const isOver = (job) => ["completed", "failed", "cancelled"].includes(job.status);
/** Pauses between refreshes: for a job whose events arrive, for one whose events do not, and for one that has ended and plans no retries. */
const [followed, unfollowed, ended] = [15e3, 2000, 15e3];
/** Events that arrive within this time cause a single refresh. */
const gathering = 300;

export function jobPage(place, id) {
  const parts = Object.fromEntries(["outcome", "head", "photos", "items", "timeline", "people"].map((name) => [name, make("div", {})]));
  const [items, timeline] = [new ItemList(parts.items, id), new Timeline(parts.timeline)];
  const bar = make("div", { class: "line actions" }, actions(() => [id], parts.outcome, () => poller.now()));
  place.replaceChildren(title(id, bar),
    parts.outcome, parts.head, parts.photos, parts.items, make("div", { class: "panels" }, parts.timeline, parts.people));
  parts.outcome.setAttribute("aria-live", "polite");
  const photos = new Photos(parts.photos, id);
  let [rest, gathered] = [unfollowed, null];
  const poller = new Poller(async () => {
    const found = await get(`/jobs/${encodeURIComponent(id)}`).catch((error) => {
      if (![400, 404].includes(error.status)) throw error;
    });
    if (!found) return gone();
    const { detail, watchers, audit } = found;
    rest = isOver(detail.job) && !detail.laterRetries ? ended : unfollowed;
    const version = `${detail.lastSeq}.${detail.resultsRevision}.${detail.laterRetries}.${detail.job.counts.succeeded}.${detail.job.counts.failed}`;
    fill(parts.head, [detail, minute()], () => head(detail));
    timeline.show(detail.events);
    fill(parts.people, [watchers, detail.tokens, audit, minute()], () => [people(watchers, detail), acts(audit)]);
    if (detail.photos) await photos.refresh(detail.photos, version);
    await items.refresh(version, Boolean(detail.file));
  }, () => (follow.isLive ? followed : rest));
  const follow = new Follow(id, () => {
    gathered ??= setTimeout(() => { gathered = null; poller.now(); }, gathering);
  });

  function stop() {
    clearTimeout(gathered);
    follow.stop();
    poller.stop();
    photos.close();
  }

  /** There is no such job, or its results have expired: there is nothing left to request or to act on. */
  function gone() {
    stop();
    stale(null);
    bar.remove();
    for (const part of Object.values(parts)) part.replaceChildren();
    parts.head.append(make("p", { class: "empty" }, "There is no job with this identifier. A job is removed when its results expire."));
  }

  return { stop };
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
        ["Accepted", when(job.createdAt)], ["First claimed", when(job.startedAt)], ["Ended", when(job.endedAt)],
        ["Deadline", isOver(job) ? null : when(detail.deadlineAt, until(detail.deadlineAt))],
        ["Results are removed", job.expiresAt ? when(job.expiresAt, until(job.expiresAt)) : null],
        ["Priority", job.priority ?? "by its size"], ["Client", detail.client],
        ["Request", job.requestId ? make("a", { class: "id", href: `#tail?request=${encodeURIComponent(job.requestId)}` }, job.requestId) : null],
        ["Trace", detail.traceId ? make("span", { class: "id" }, detail.traceId) : null],
        ["Newest event", number(detail.lastSeq)], ["Results revision", number(detail.resultsRevision)],
        ["Planned retries", detail.laterRetries ? `${count(detail.laterRetries, "book")}, the first ${until(detail.nextRetryAt)}` : null],
        ["Webhooks waiting", detail.webhooks || null],
        ["Events", make("a", { href: `#tail?job=${encodeURIComponent(job.jobId)}` }, "in the tail")]])),
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
    facts([["Name", make("bdi", {}, found.name)], ["Size", `${bytes(found.bytesRead)} of ${bytes(found.bytes)} read`],
      ["Format", source && `${apps[source.format] ?? source.format}, ${source.encoding}`],
      ["Rows", summary && [`${number(summary.totalRows)}: ${count(summary.booksCreated, "book")}`, summary.duplicatesSkipped && count(summary.duplicatesSkipped, "duplicate"),
        summary.errorCount && `${number(summary.errorCount)} unusable`, summary.skippedRows && `${number(summary.skippedRows)} not books`].filter(Boolean).join(", ")],
      ["Model used for columns", found.model], ["Looked up by", found.enrichment ? jobLink(found.enrichment) : null]]),
    source?.columns.length ? table("Columns in the file", ["Column", "Interpreted as", "Recognized"], source.columns.map((column) => [
      column.header ? make("bdi", {}, column.header) : `Column ${column.index + 1}`, column.role ? roles[column.role] ?? column.role : make("span", { class: "faint" }, "not used"), evidence(column) || "–"])) : false);
}

function people(watchers, detail) {
  const forms = { webSocket: "WebSocket", eventStream: "event stream", poll: "poll" };
  const acknowledged = (token) => detail.tokens.find((one) => one.number === token)?.acknowledged ?? 0;
  return panel("Watchers", table("Clients watching the job", ["Client", ["Sent", "num"], ["Acknowledged", "num"], ["Skipped", "num"], ["Waiting", "num"]],
    watchers.map((one) => [one.isOperator ? "console page" : `${forms[one.form] ?? one.form}${one.isV1 ? ", v1" : ""}`, `#${one.sent}`, one.token == null ? "–" : `#${acknowledged(one.token)}`, number(one.skipped), bytes(one.waitingBytes)]),
    `No clients are watching. The job has ${count(detail.tokens.filter((one) => one.isValid).length, "valid token")}.`));
}

const acts = (audit) => panel("Operators", table("Operator actions", ["When", "Action", "Outcome", "Who"],
  audit.map((one) => [when(one.at), one.action, one.outcome, who(one)]), "No operator actions on this job."));

export const who = ({ actor }) => [actor.address, actor.session ? make("span", { class: "faint" }, ` session ${actor.session}`) : false].filter(Boolean);
