// Follows a job over a WebSocket, or over an event stream if WebSockets are blocked. A hidden tab does not follow the job.
import { call, Failure } from "./api.js";
import { pause } from "./dom.js";

/** The event types of a stream. */
export const streamEvents = ["job_started", "job_progress", "job_complete", "job_error", "reconnected", "batch-init",
  "batch-progress", "batch-complete", "batch-canceling"];
const longestPause = 15000;

/** Whether a frame is the last one for its job. */
export function isLast(frame) {
  return frame.type === "job_complete" || frame.type === "error" || frame.type === "batch-canceling"
    || (frame.type === "job_progress" && frame.payload?.status === "job_cancelled");
}

export class Watch {
  #id; #token; #handlers; #seq = 0; #failures = 0; #opened = false; #connection = null; #ended = false;
  #visibility = () => document.hidden ? this.#close() : this.#connect();

  /** `handlers`: `frame(frame)`, `gone(failure)`, `connection(state)` with "live" or "waiting". */
  constructor(id, token, handlers) {
    this.#id = id;
    this.#token = token;
    this.#handlers = handlers;
    document.addEventListener("visibilitychange", this.#visibility);
    this.#connect();
  }

  stop() {
    this.#ended = true;
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#close();
  }

  #close() {
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }

  #connect() {
    if (this.#ended || this.#connection || document.hidden) return;
    if (!this.#opened && this.#failures >= 2) this.#stream(); else this.#socket();
  }

  #address(path) {
    const address = new URL(path, location.href);
    if (this.#seq > 0) address.searchParams.set("since", this.#seq);
    return address;
  }

  #socket() {
    const address = this.#address("/ws/progress");
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("jobId", this.#id);
    const socket = new WebSocket(address, [`bookstrack-auth.${this.#token}`]);
    const end = () => socket.close(1000);
    // Browsers log a warning if a socket is closed before it is open.
    const close = { close: () => { if (socket.readyState === WebSocket.CONNECTING) socket.onopen = end; else end(); } };
    this.#connection = close;
    socket.onopen = () => {
      this.#opened = true;
      this.#succeeded();
      socket.send('{"type":"ready"}');
    };
    socket.onmessage = (event) => {
      const frame = this.#read(event.data);
      if (frame?.type === "ping" && socket.readyState === WebSocket.OPEN) socket.send('{"type":"pong"}');
    };
    socket.onclose = () => this.#lost(close);
  }

  #stream() {
    const address = this.#address(`/v1/jobs/${encodeURIComponent(this.#id)}/events`);
    address.searchParams.set("token", this.#token);
    const stream = new EventSource(address);
    this.#connection = stream;
    stream.onopen = () => this.#succeeded();
    for (const name of streamEvents) stream.addEventListener(name, (event) => this.#read(event.data));
    stream.onerror = () => {
      stream.close();
      this.#lost(stream);
    };
  }

  #succeeded() {
    this.#failures = 0;
    this.#handlers.connection?.("live");
  }

  #read(text) {
    let frame;
    try { frame = JSON.parse(text); } catch { return undefined; }
    if (this.#ended || !frame || typeof frame !== "object") return undefined;
    if (Number.isInteger(frame.seq)) this.#seq = Math.max(this.#seq, frame.seq);
    const last = isLast(frame);
    if (last) this.stop();
    this.#handlers.frame(frame);
    return frame;
  }

  /** Reconnects after an increasing pause with jitter, unless the job is gone. */
  async #lost(connection) {
    if (this.#ended || this.#connection !== connection) return;
    this.#failures += 1;
    this.#handlers.connection?.("waiting");
    await pause(Math.min(longestPause, 250 * 2 ** Math.min(this.#failures, 6)) * (0.5 + Math.random() / 2));
    if (this.#ended || this.#connection !== connection) return;
    try {
      await call(`/v1/jobs/${encodeURIComponent(this.#id)}`, { token: this.#token });
    } catch (failure) {
      if (failure instanceof Failure && failure.isGone) {
        this.stop();
        return this.#handlers.gone(failure);
      }
    }
    if (this.#connection === connection) this.#connection = null;
    this.#connect();
  }
}
