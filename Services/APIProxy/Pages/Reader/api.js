// Sends requests to the API, and turns its failures into sentences.
import { duration } from "./dom.js";

export class Failure extends Error {
  constructor(message, { status = 0, code = "", details = {}, retryAfter, reason } = {}) {
    super(message);
    Object.assign(this, { status, code, details, retryAfter, reason });
  }

  /** The job is unknown, its results are deleted or (`isNotOver`) not available yet, or the token is not accepted. */
  get isGone() { return this.status === 401 || this.status === 404; }

  /** The job is still running and has no results yet (http-api.md "Results"). */
  get isNotOver() { return this.status === 404 && ["pending", "processing", "cancelling"].includes(this.details.status); }

  /** The same request may succeed later. */
  get isPassing() { return (this.status === 0 && this.code !== "UNREADABLE") || this.status === 429 || this.status >= 500; }
}

/** The `data` of a response's envelope, or the whole body if there is no envelope. Throws `Failure`. */
export async function call(path, { token, body, ...options } = {}) {
  const text = await envelope(await send(path, { token, body, ...options }));
  return text.data ?? text;
}

/** The body of a successful response. Throws `Failure`. */
export async function envelope(answer) {
  const body = await answer.json().catch(() => null);
  if (!body) throw new Failure("The service sent a response that this page cannot read.", { status: answer.status });
  return body;
}

/** The response to a successful request. Throws `Failure`. */
export async function send(path, { token, body, ...options } = {}) {
  const headers = new Headers(options.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined && !(body instanceof FormData)) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, body });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const file = body instanceof FormData ? await unreadable(body) : undefined;
    throw file ? new Failure(`“${file.name}” cannot be read. Folders cannot be added, and a file that has changed must be chosen again.`, { code: "UNREADABLE" })
      : new Failure("The service cannot be reached. Check the connection and try again.");
  }
  if (answer.ok) return answer;
  throw await failure(answer);
}

/** The first file of a form that cannot be read; undefined if there is none. Browsers report a folder or a changed file as a lost connection. */
async function unreadable(form) {
  for (const file of form.values()) {
    if (!(file instanceof File)) continue;
    try { await file.slice(0, 1).arrayBuffer(); } catch { return file; }
  }
  return undefined;
}

async function failure(answer) {
  const error = (await answer.json().catch(() => null))?.error ?? {};
  const retryAfter = Number(answer.headers.get("Retry-After")) || undefined;
  const wait = retryAfter ? `Please try again in ${duration(retryAfter)}.` : "Please try again in a moment.";
  const message = answer.status === 429 ? `Too many requests. ${wait}`
    : error.code === "SCANNER_UNAVAILABLE" ? "Photos cannot be read here at the moment: no service that reads photos is available."
    : answer.status === 503 && error.code !== "QUOTA_EXHAUSTED" ? `The service cannot do this at the moment. ${wait}`
    : error.message || `The service responded with status ${answer.status}.`;
  return new Failure(message, { status: answer.status, code: error.code, details: error.details, retryAfter, reason: error.message });
}
