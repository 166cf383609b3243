// Follows a job's events as they happen, over an event stream that is authorized by the session. A hidden tab does not follow jobs.
import { streamEvents } from "./live.js";

const pauses = [1, 2, 5, 15, 30];

export class Follow {
  #id; #changed; #stream = null; #timer; #failures = 0; #seq = 0; #isOver = false;
  #visibility = () => { if (document.hidden) this.#close(); else this.#open(); };

  /** Calls `changed` after each event. */
  constructor(id, changed) {
    this.#id = id;
    this.#changed = changed;
    document.addEventListener("visibilitychange", this.#visibility);
    this.#open();
  }

  /** Whether events arrive; if not, the job has to be polled. */
  get isLive() { return this.#stream?.readyState === EventSource.OPEN; }

  stop() {
    this.#isOver = true;
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#close();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = null;
  }

  #open() {
    if (this.#isOver || this.#stream || document.hidden) return;
    const address = `/console/api/jobs/${encodeURIComponent(this.#id)}/events?follow=results${this.#seq ? `&since=${this.#seq}` : ""}`;
    const stream = this.#stream = new EventSource(address);
    stream.onopen = () => { this.#failures = 0; };
    for (const name of [...streamEvents, "results_updated"]) {
      stream.addEventListener(name, (event) => {
        this.#seq = Math.max(this.#seq, Number(event.lastEventId) || 0);
        this.#changed();
      });
    }
    // `EventSource` gives up if the response is not a stream, for example because the session has ended.
    stream.onerror = () => {
      if (this.#stream !== stream) return;
      this.#close();
      this.#timer = setTimeout(() => this.#open(), 1000 * pauses[Math.min(this.#failures, pauses.length - 1)]);
      this.#failures += 1;
    };
  }
}
