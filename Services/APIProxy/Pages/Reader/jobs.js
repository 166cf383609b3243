// The jobs of this browser: followed while they run, read when they are shown.
import { call, Failure } from "./api.js";
import * as books from "./books.js";
import { announce, count, pause } from "./dom.js";
import { Watch } from "./live.js";
import * as store from "./store.js";

/** After this age a token is replaced, while it still can be (websocket.md "Tokens"). */
const tokenAge = 95 * 60000;
/** Between two searches for books of a running job, within the limits of the API. */
const peekPause = 2000;
const path = (id) => encodeURIComponent(id);

export class Job extends EventTarget {
  /** Null until the books are read. */
  books = null;
  photos = [];
  progress = 0;
  text = "";
  connection = "live";
  busy = "";
  problem = "";
  #watch = null; #shown = false; #reading = false; #again = false; #peeking = false;

  constructor(record) {
    super();
    this.record = record;
    if (this.isRunning) this.#follow();
  }

  get id() { return this.record.id; }
  get kind() { return this.record.kind; }
  get name() { return this.record.name; }
  get link() { return this.record.link; }
  get choices() { return this.record.choices; }
  get isRunning() { return this.record.state === "reading" || this.record.state === "running"; }
  get #current() { return this.record.state !== "reading" && this.link ? this.link : this.record; }

  /** Adopts changes that another tab stored. */
  set stored(record) {
    const ended = this.isRunning;
    this.record = record;
    if (ended && !this.isRunning) {
      this.close();
      if (this.#shown) this.read();
    }
    this.#changed();
  }

  close() { this.#watch?.stop(); this.#watch = null; }

  #changed() { this.dispatchEvent(new Event("change")); }

  #store(members) {
    Object.assign(this.record, members);
    store.update(this.id, members);
    this.#changed();
  }

  // MARK: Following

  async #follow() {
    const { id } = this.#current;
    await this.#renewToken();
    if (!this.isRunning || this.#current.id !== id) return;
    this.close();
    this.#watch = new Watch(id, this.#current.token, {
      frame: (frame) => this.#take(frame), gone: () => this.#gone(),
      connection: (state) => { this.connection = state; this.#changed(); },
    });
  }

  async #renewToken() {
    const { id, token } = this.#current;
    if (Date.now() - (this.record.tokenAt || this.record.createdAt) < tokenAge || document.hidden) return;
    const renewed = await call("/v1/token/refresh", { method: "POST", body: { jobId: id, oldToken: token } }).catch(() => null);
    if (!renewed?.token) return;
    if (this.#current === this.link) this.#store({ link: { ...this.link, token: renewed.token }, tokenAt: Date.now() });
    else this.#store({ token: renewed.token, tokenAt: Date.now() });
  }

  #take(frame) {
    const payload = frame.payload || {};
    if (payload.status === "job_cancelled" || frame.type === "batch-canceling") return this.#ended("cancelled");
    switch (frame.type) {
      case "job_complete": return this.#completed(payload);
      case "error": return this.#ended("failed", payload.userMessage || payload.message);
      case "batch-progress": this.photos = payload.photos || this.photos; break;
      case "job_started": if (payload.totalItems > 0) this.record.total = payload.totalItems; break;
      case "job_progress":
      case "reconnected":
        this.progress = payload.progress ?? this.progress;
        this.text = payload.userMessage || payload.message || this.text;
        this.done = payload.processedCount ?? this.done;
        this.record.total = payload.totalCount || this.record.total;
        this.#peek(payload.currentItemDetails?.isbn);
        break;
      default: return;
    }
    this.#changed();
  }

  #completed(payload) {
    if (this.record.state === "reading") {
      this.progress = 0;
      this.text = "";
      const rows = { total: payload.booksCount ?? payload.successCount, rejected: payload.failureCount };
      this.#store(this.link ? { ...rows, state: "running" } : { ...rows, found: rows.total, state: "done" });
      announce(`${this.name}: ${count(rows.total, "book")} imported.`);
      if (this.link) this.#follow();
      if (this.#shown) this.read();
      return;
    }
    const scan = this.kind === "photos" && { approved: payload.approved, review: payload.needsReview, total: payload.totalDetected };
    this.#ended("done", "", { found: payload.successCount, missing: payload.failureCount,
      total: payload.successCount + payload.failureCount, ...scan });
  }

  #ended(state, reason = "", counts = {}) {
    this.close();
    this.progress = 1;
    this.busy = "";
    this.#store({ state, reason, asked: undefined, ...counts });
    announce(`${this.name}: ${this.summary}`);
    if (this.#shown) this.read();
  }

  /** The token is no longer accepted, or the job was removed; its results may still be there. */
  async #gone() {
    try {
      const data = await call(`/v1/jobs/${path(this.#current.id)}/results`);
      this.#ended("done", "", { found: data.successCount ?? data.books?.length, missing: data.failureCount ?? 0 });
    } catch (failure) {
      const status = failure.details?.status;
      this.#ended(status === "failed" || status === "cancelled" ? status : "gone");
    }
  }

  /** One sentence about the state of the job. */
  get summary() {
    const { state, total, found, missing, approved, review, reason, rejected } = this.record;
    switch (state) {
      case "reading": return this.text || "Reading the file";
      case "running":
        if (this.connection === "waiting") return "Reconnecting…";
        return this.kind !== "photos" && this.done && total ? `${count(this.done, "book")} of ${count(total, "book").split(" ")[0]} looked up`
          : this.text || (this.kind === "photos" ? "Reading the photos" : "Queued");
      case "done": {
        if (this.kind === "photos") return `${count(total, "book")}: ${count(approved, "approved", "approved")}, ${review || 0} to review`;
        const rest = [missing > 0 && `${count(missing, "book")} not found`, rejected > 0 && `${count(rejected, "row")} not usable`];
        return [`${count(found, "book")} found`, ...rest.filter(Boolean)].join(", ");
      }
      case "failed": return reason || "Something went wrong";
      case "cancelled": return "Cancelled";
      default: return "Results deleted by the service";
    }
  }

  // MARK: Reading

  /** Whether the job's books are on the screen. */
  set shown(shown) {
    this.#shown = shown;
    if (shown) this.read();
  }

  /** Reads the books; once more afterwards if something happened meanwhile. */
  async read() {
    if (this.#reading) { this.#again = true; return; }
    this.#reading = true;
    try {
      await (this.kind === "photos" ? this.#readPhotos() : this.kind === "library" ? this.#readLibrary() : this.#readList());
      this.problem = "";
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (!this.isRunning || !failure.isGone) this.problem = failure.isGone ? "The service has deleted the results." : failure.message;
    }
    this.#changed();
    this.#reading = false;
    if (!this.#again || !this.#shown) return;
    this.#again = false;
    this.read();
  }

  /** The rows of an enrichment after its end. */
  async #rows(id) {
    return books.fromEnrichment((await call(`/v1/enrichment/results/${path(id)}`)).enrichedBooks);
  }

  /** Shows a book that was just looked up: a search for it is answered from the cache. */
  async #peek(isbn) {
    const asked = (book) => book.state === "waiting" && book.isbn === isbn;
    if (!isbn || !this.#shown || this.#peeking || !this.books?.some(asked)) return;
    this.#peeking = true;
    try {
      const [found] = books.fromSearch(await call(`/v1/search/isbn?isbn=${encodeURIComponent(isbn)}`));
      if (found && this.isRunning) {
        this.books = this.books.map((book) => asked(book) ? books.complete({ ...book, title: this.kind === "list" ? "" : book.title }, found) : book);
        this.#changed();
      }
    } catch { /* The results at the end have it. */ }
    await pause(peekPause);
    this.#peeking = false;
  }

  async #readList() {
    const isOver = !this.isRunning;
    if (!this.books && !isOver && this.record.asked) {
      this.books = this.record.asked.map((isbn) => ({ title: isbn, author: "", isbn, asked: isbn, state: "waiting" }));
    }
    if (isOver) this.books = await this.#rows(this.id);
  }

  async #readLibrary() {
    if (this.record.state === "reading") return;
    const isOver = !this.isRunning;
    if (!this.books) {
      const data = await call(`/v1/csv/results/${path(this.id)}`);
      this.books = books.fromImport(data.books, Boolean(this.link));
      this.errors = data.errors.slice(0, 200);
      this.#changed();
    }
    if (!this.link || !isOver) return;
    const rows = await this.#rows(this.link.id).catch((failure) => { if (failure.isGone) return []; throw failure; });
    const found = new Map(rows.map((row) => [row.row, row]));
    this.books = this.books.map((book) => {
      const row = found.get(book.row);
      if (row && book.state !== row.state) return books.complete(book, row);
      return book.state === "waiting" ? { ...book, state: "found" } : book;
    });
  }

  async #readPhotos() {
    if (this.isRunning) return;
    const data = await call(`/v1/scan/results/${path(this.id)}`);
    this.scanned = data.books;
    this.photos = data.photos;
    this.books = books.fromScan(data.books, this.choices);
  }

  // MARK: Actions

  /** Runs an action of the reader; its failure becomes a sentence. */
  async act(name, action) {
    if (this.busy) return;
    this.busy = name;
    this.problem = "";
    this.#changed();
    try {
      await action();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.problem = failure.message;
      announce(failure.message);
    } finally {
      this.busy = "";
      this.#changed();
    }
  }

  cancel() {
    return this.act("cancel", () => call(`/v1/jobs/${path(this.#current.id)}`, { method: "DELETE", token: this.#current.token }));
  }

  get canRetry() { return this.record.state === "done" && (this.kind === "photos" ? this.books?.some((book) => book.retryable) : this.record.missing > 0); }

  retry() {
    return this.act("retry", async () => {
      const { id, token } = this.#current;
      const before = await this.#state();
      const started = await call(`/v1/jobs/${path(id)}/retry`, { method: "POST", token });
      announce(`Trying ${count(started.retrying, "book")} again.`);
      let state = before;
      for (let tries = 0; tries < 30 && started.retrying > 0; tries += 1) {
        await pause(1000);
        const newer = await this.#state();
        // Facts about authors raise the revision, too, while the retried books are still being looked up.
        const progress = this.kind === "photos" ? newer.resultsRevision - before.resultsRevision : before.failureCount - newer.failureCount;
        if (progress > 0 && newer.resultsRevision === state.resultsRevision) break;
        state = newer;
        if (state.failureCount === 0) break;
      }
      const missing = (await this.#state()).failureCount;
      const more = this.record.missing - missing;
      if (this.kind !== "photos") this.#store({ found: this.record.found + more, missing });
      announce(more > 0 ? `${count(more, "more book")} found.` : "Nothing new was found.");
      await this.read();
    });
  }

  #state() { return call(`/v1/jobs/${path(this.#current.id)}`, { token: this.#current.token }); }

  /** Remembers the reader's decision about a book of a scan. */
  choose(index, choice) {
    this.#store({ choices: { ...this.choices, [index]: choice } });
    this.books = books.fromScan(this.scanned, this.choices);
    const review = this.books.filter((book) => book.state === "review").length;
    this.#store({ review, approved: this.books.length - review });
  }
}

const known = new Map();
const listeners = new Set();

/** The jobs, newest first, in step with the storage. */
export function all() {
  const records = store.jobs();
  const ids = new Set(records.map((record) => record.id));
  for (const [id, job] of known) if (!ids.has(id)) { job.close(); known.delete(id); }
  return records.map((record) => {
    const job = known.get(record.id);
    if (!job) known.set(record.id, new Job(record));
    else if (JSON.stringify(job.record) !== JSON.stringify(record)) job.stored = record;
    return known.get(record.id);
  });
}

export const find = (id) => all().find((job) => job.id === id);
export const onList = (action) => listeners.add(action);
export const remove = (id) => store.remove(id);

/** Remembers a started job. */
export function start(record) {
  store.add({ createdAt: Date.now(), state: "running", ...record });
  return find(record.id);
}

store.onChange(() => { for (const listener of listeners) listener(); });
