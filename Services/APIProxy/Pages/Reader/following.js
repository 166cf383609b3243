// Follows a job until its end: through its events, or, once its token is no longer accepted, by polling for its results, which need no token.
import { call, Failure } from "./api.js";
import { pause } from "./dom.js";
import { Watch } from "./live.js";

const askPause = 5000;

/** How a job ended: `{ state, results }` with "done", "failed", "cancelled" or "gone"; null until it has ended. Throws `Failure`. */
export async function outcome(id) {
  try {
    return { state: "done", results: await call(`/v1/jobs/${encodeURIComponent(id)}/results`) };
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status !== 404) throw failure;
    const { status } = failure.details;
    return failure.isNotOver ? null : { state: status === "failed" || status === "cancelled" ? status : "gone" };
  }
}

export class Following {
  #id; #handlers; #watch; #isStopped = false;

  /** `handlers`: `frame(frame)`, `connection(state)` as for a `Watch`, `expired()`, after which no more frames arrive, and `ended(outcome)`. */
  constructor({ id, token }, handlers) {
    this.#id = id;
    this.#handlers = handlers;
    this.#watch = new Watch(id, token, { frame: handlers.frame, connection: handlers.connection, gone: () => this.#ask() });
  }

  stop() {
    this.#isStopped = true;
    this.#watch.stop();
  }

  async #ask() {
    this.#handlers.expired();
    while (!this.#isStopped) {
      let wait = askPause;
      try {
        const end = await outcome(this.#id);
        if (this.#isStopped) return;
        if (end) return this.#handlers.ended(end);
        this.#handlers.connection("live");
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        wait = Math.max(wait, (failure.retryAfter || 0) * 1000);
        if (!this.#isStopped) this.#handlers.connection("waiting");
      }
      await pause(wait);
    }
  }
}
