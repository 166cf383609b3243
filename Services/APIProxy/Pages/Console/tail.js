// The tail: events of all services as they happen, with the filters of `bookstrack tail`.
import { Failure } from "./api.js";
import { make, number } from "./dom.js";
import { chip, input, jobLink, menu, span, stale, title } from "./parts.js";
import { open } from "./session.js";

const limit = 500;
const waits = [1, 2, 4, 8, 16];

export function tail(place, query) {
  const rows = make("ol", { class: "events", "aria-label": "Events, newest first" });
  const note = make("p", { class: "faint", role: "status" }, "Connecting…");
  const [state, hold] = [{ isHeld: false, held: [], newest: 0, dropped: 0 }, make("button", { type: "button", class: "plain", "aria-pressed": "false", click: toggle }, "Pause")];
  const value = (name) => query.get(name) ?? "";
  const form = make("form", { class: "filters", submit: (event) => { event.preventDefault(); apply(); } },
    menu("service", "Service", [["", "all"], ["api-proxy", "api-proxy"], ["progress-host", "progress-host"], ["enrichment-worker", "enrichment-worker"]], value("service"), apply),
    menu("status", "Outcome", [["", "any"], ["ok", "ok"], ["error", "error"], ["canceled", "canceled"]], value("status"), apply),
    menu("level", "Level", [["", "any"], ["info", "info"], ["notice", "notice"], ["warning", "warning"], ["error", "error"]], value("level"), apply),
    input("search", "Text in log lines", { type: "search", dir: "auto", value: value("search"), maxlength: 200 }),
    input("job", "Job", { value: value("job"), maxlength: 128 }), input("request", "Request", { value: value("request"), maxlength: 128 }),
    make("button", { type: "submit" }, "Filter"),
    make("details", { open: ["method", "ip", "header", "sampling", "routine"].some((name) => query.get(name)) }, make("summary", {}, "More filters"),
      make("div", { class: "filters" }, input("method", "Method", { value: value("method"), maxlength: 64 }), input("ip", "Client address", { value: value("ip"), maxlength: 64 }),
        input("header", "Header, NAME or NAME:TEXT", { value: value("header"), maxlength: 200 }), input("sampling", "Sampling rate, between 0 and 1", { value: value("sampling"), inputmode: "decimal", maxlength: 8 }),
        make("label", { class: "option" }, make("input", { type: "checkbox", name: "routine", value: "true", checked: value("routine") === "true" }), "Health checks and other routine events"))));
  place.replaceChildren(title("Tail", make("div", { class: "line" }, hold, make("button", { type: "button", class: "plain", click: () => rows.replaceChildren() }, "Clear"))), form, note, rows);

  function apply() {
    const wanted = new URLSearchParams([...new FormData(form)].filter(([, text]) => text));
    const address = wanted.size ? `#tail?${wanted}` : "#tail";
    // The address does not change if a refused tail is requested again.
    if (location.hash === address) visibility(); else location.hash = address;
  }

  function toggle() {
    state.isHeld = !state.isHeld;
    hold.setAttribute("aria-pressed", String(state.isHeld));
    hold.textContent = state.isHeld ? "Resume" : "Pause";
    if (!state.isHeld) show(state.held.splice(0));
    tell();
  }

  const connected = new Map();
  function tell() {
    const away = [...connected].filter(([, isConnected]) => !isConnected).map(([name]) => name);
    note.textContent = [away.length ? `Not reachable: ${away.join(", ")}.` : `Following ${[...connected.keys()].sort().join(", ") || "…"}.`,
      state.isHeld ? `Paused, ${number(state.held.length)} waiting.` : "", state.dropped ? `${number(state.dropped)} dropped: this page was too slow.` : ""].filter(Boolean).join(" ");
  }

  function take(line) {
    const message = JSON.parse(line);
    if ("isConnected" in message) connected.set(message.service, message.isConnected);
    if (message.page) {
      state.dropped += message.page.dropped;
      const events = message.page.events.map((event) => ({ ...event, service: message.service }));
      for (const event of events) state.newest = Math.max(state.newest, event.eventTimestamp + Math.ceil(event.durationMs ?? 0));
      if (state.isHeld) state.held = [...state.held, ...events].slice(-limit); else show(events);
    }
    tell();
  }

  /** Events of several services arrive nearly in order: each is inserted at its position among the newest. */
  function show(events) {
    for (const event of events) {
      const after = [...rows.children].slice(0, 50).find((row) => Number(row.dataset.at) <= event.eventTimestamp);
      rows.insertBefore(row(event), after ?? (rows.children.length < 50 ? null : rows.children[50]));
    }
    while (rows.children.length > limit) rows.lastChild.remove();
  }

  async function follow(signal) {
    const wanted = new URLSearchParams(query);
    if (state.newest) wanted.set("since", state.newest + 1); else wanted.set("last", 100);
    const answer = await open(`/tail?${wanted}`, { signal });
    stale(null);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value: text, done } = await reader.read();
      if (done) return;
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      lines.filter(Boolean).forEach(take);
    }
  }

  /** Follows the tail, and reconnects after increasing pauses, until `signal` aborts it or the service refuses the request. */
  async function run(signal) {
    for (let attempt = 0; !signal.aborted;) {
      const begun = Date.now();
      try {
        await follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        // Browsers report the end of a stream with their own messages.
        stale(error instanceof Failure ? error : new Failure("The connection was lost."));
        if (error instanceof Failure && !error.isPassing) {
          running = null;
          note.textContent = "Not following.";
          return;
        }
      }
      attempt = Date.now() - begun > 5000 ? 0 : Math.min(attempt + 1, waits.length - 1);
      note.textContent = "Connection lost; reconnecting…";
      await new Promise((resolve) => setTimeout(resolve, 1000 * waits[attempt]));
    }
  }

  let running = null;
  function stop() {
    running?.abort();
    running = null;
  }
  function visibility() {
    if (document.hidden) return stop();
    if (running) return;
    running = new AbortController();
    run(running.signal);
  }
  document.addEventListener("visibilitychange", visibility);
  visibility();
  return { stop() { document.removeEventListener("visibilitychange", visibility); stop(); } };
}

function row(event) {
  const { request, response, rpc, job } = event.event ?? {};
  const subject = request ? `${request.method} ${request.url}` : rpc ? rpc.method : job ? `${job.step}${job.index == null ? "" : ` book ${job.index + 1}`}` : event.logs[0]?.message ?? "log";
  const end = request ? response?.status ?? "left" : rpc ? rpc.code : job ? job.code ?? job.result : null;
  const lines = [...event.logs, ...event.exceptions.map((one) => ({ ...one, level: "error", message: `${one.name}: ${one.message}` }))].sort((one, other) => one.timestamp - other.timestamp);
  return make("li", { "data-at": event.eventTimestamp }, make("details", {},
    make("summary", {}, make("time", { datetime: new Date(event.eventTimestamp).toISOString() }, new Date(event.eventTimestamp).toLocaleTimeString("en-GB")),
      make("span", { class: "service" }, event.service), chip(event.outcome), make("span", { class: "subject" }, make("bdi", {}, subject)),
      end == null ? false : make("span", { class: "faint" }, String(end)), event.durationMs == null ? false : make("span", { class: "faint" }, span(event.durationMs)),
      lines.length && !(lines.length === 1 && event.kind === "log") ? make("span", { class: "faint" }, `${lines.length} lines`) : false),
    make("p", { class: "line" }, event.jobId ? ["Job ", jobLink(event.jobId)] : false,
      event.requestId ? ["Request ", make("a", { class: "id", href: `#tail?request=${encodeURIComponent(event.requestId)}` }, event.requestId)] : false,
      request?.address ? `from ${request.address}` : false),
    lines.length ? make("ul", { class: "lines" }, lines.map((line) => make("li", { class: `level-${line.level}` }, chip(line.level, { error: "bad", critical: "bad", warning: "warn" }[line.level] ?? "quiet"), " ", make("bdi", {}, line.message),
      line.metadata ? make("span", { class: "faint" }, ` ${Object.entries(line.metadata).map(([name, text]) => `${name}=${text}`).join(" ")}`) : false))) : false,
    event.droppedNotes ? make("p", { class: "faint" }, `${event.droppedNotes} more lines were not recorded.`) : false));
}
