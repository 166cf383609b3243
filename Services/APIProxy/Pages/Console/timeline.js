// A job's timeline: its events, newest first, each with its frame unless that is too long.
import { make } from "./dom.js";
import { panel, when } from "./parts.js";

export class Timeline {
  #list = make("ol", { class: "timeline" });
  #none = make("p", { class: "empty" }, "No events yet.");
  /** Rows by event number. */
  #rows = new Map();

  constructor(place) { place.replaceChildren(panel("Timeline", this.#none, this.#list)); }

  /** Shows `events`, which are sorted oldest first. Events that are already shown are not redrawn, so that an open one does not close. */
  show(events) {
    this.#none.hidden = events.length > 0;
    const rows = new Map(events.map((event) => [event.seq, this.#rows.get(event.seq) ?? row(event)]));
    for (const [seq, node] of this.#rows) if (!rows.has(seq)) node.remove();
    for (const [seq, node] of rows) if (!this.#rows.has(seq)) this.#list.prepend(node);
    this.#rows = rows;
  }
}

function row(event) {
  let frame = null;
  try { frame = JSON.parse(event.frame); } catch { /* A frame that was omitted, or is not JSON, is not shown. */ }
  const status = frame?.payload?.status ?? frame?.payload?.message;
  return make("li", {}, make("details", {},
    make("summary", {}, make("span", { class: "num" }, `#${event.seq}`), ` ${event.kind}`,
      typeof status === "string" ? [" ", make("bdi", { class: "faint" }, status)] : false, " ", when(event.at, new Date(event.at).toLocaleTimeString())),
    make("pre", { tabindex: "0" }, frame ? JSON.stringify(frame, null, 1) : "The frame is too long to show.")));
}
