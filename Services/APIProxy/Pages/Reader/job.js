// A job that this browser started: followed while it runs; its books are loaded when they are shown.
import { call, Failure, send } from "./api.js";
import * as books from "./books.js";
import { announce, count, pause } from "./dom.js";
import { Following, outcome } from "./following.js";
import { enrichmentCounts, merged, readEnrichment, readImport, readLookup, readScan, retryable, scanCounts, unread } from "./results.js";
import * as store from "./store.js";

/** The time between two searches for books of a running job, within the API's limits. */
const peekPause = 2000;
/** A requested retry has finished when no retry is due within this time; background retries come after at least an hour (jobs.md "Retries"). */
const soon = 300000;
/** How often the job is read, once a second, while a requested retry is running; after that, it is no longer waited for. */
const maxRetryChecks = 30;
const path = (id) => encodeURIComponent(id);

export class Job extends EventTarget {
  /** Null until the books are loaded. */
  books = null;
  photos = [];
  progress = 0;
  text = "";
  connection = "live";
  busy = "";
  problem = "";
  /** The result of the last action. */
  note = "";
  #following = null; #shown = false; #peeking = false;
  /** Promises for the load in progress, and for the one after it; null if there is none. */
  #reading = null; #next = null;

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
    const running = () => this.isRunning && this.#current.id;
    const [before, { choices }] = [running(), this];
    this.record = record;
    if (running() !== before) {
      if (running()) this.#follow(); else this.close();
      if (this.#shown) this.read();
    }
    if (this.scanned && JSON.stringify(choices) !== JSON.stringify(this.choices)) this.books = books.fromScan(this.scanned, this.choices);
    this.#changed();
  }

  close() { this.#following?.stop(); this.#following = null; }

  #changed() { this.dispatchEvent(new Event("change")); }

  #store(members) {
    Object.assign(this.record, members);
    store.update(this.id, members);
    this.#changed();
  }

  // MARK: Following

  /** Follows the part that is running: for a library file, first the import, then the lookup of its books. */
  #follow() {
    this.close();
    const { id, token } = this.#current;
    // Another tab may have stored the next step while events of the previous one were still arriving.
    const isCurrent = () => this.isRunning && this.#current.id === id;
    Object.assign(this, { progress: 0, text: "", done: undefined, total: undefined, connection: "live" });
    this.#following = new Following({ id, token }, {
      frame: (frame) => { if (isCurrent()) this.#take(frame); },
      connection: (state) => {
        if (this.connection === state || !isCurrent()) return;
        this.connection = state;
        this.#changed();
      },
      expired: () => {
        if (!isCurrent()) return;
        this.text = "Still running; its progress can no longer be followed";
        this.done = undefined;
        this.#store({ isExpired: true });
      },
      ended: (end) => { if (isCurrent()) this.#settle(end); },
    });
  }

  #take(frame) {
    const payload = frame.payload || {};
    if (payload.status === "job_cancelled" || frame.type === "batch-canceling") return this.#ended("cancelled");
    switch (frame.type) {
      case "job_complete": return this.#completed(payload);
      case "error": return this.#failed(payload.userMessage || payload.message, payload.code);
      case "batch-progress": this.photos = payload.photos || this.photos; break;
      case "job_started": if (payload.totalItems > 0) this.total = payload.totalItems; break;
      case "job_progress":
      case "reconnected":
        this.progress = payload.progress ?? this.progress;
        this.text = payload.userMessage || payload.message || this.text;
        this.done = payload.processedCount ?? this.done;
        this.total = payload.totalCount || this.total;
        this.#peek(payload.currentItemDetails?.isbn);
        break;
      default: return;
    }
    this.#changed();
  }

  #completed(payload) {
    if (this.record.state === "reading") return this.#imported(payload.booksCount ?? payload.successCount, payload.failureCount);
    const { PROVIDER_TIMEOUT = 0, PROVIDER_ERROR = 0, QUOTA_EXHAUSTED = 0 } = payload.failureCounts || {};
    const scan = this.kind === "photos" && { approved: payload.approved, review: payload.needsReview, total: payload.totalDetected };
    this.#ended("done", "", { ...enrichmentCounts(payload),
      retryable: PROVIDER_TIMEOUT + PROVIDER_ERROR + QUOTA_EXHAUSTED + unread(this.photos), ...scan });
  }

  /** A scan fails if none of its photos could be read, or if its only photo shows no book (scans.md "Failures"). */
  #failed(reason, code) {
    const retryable = this.kind === "photos" && code !== "E_NO_BOOKS_DETECTED" ? this.record.photos : 0;
    this.#ended("failed", reason, { retryable });
  }

  #imported(total, rejected) {
    announce(`${this.name}: ${count(total, "book")} imported.`);
    if (!this.link) return this.#ended("done", "", { total, rejected, found: total });
    this.#store({ total, rejected, state: "running" });
    this.#follow();
    if (this.#shown) this.read();
  }

  #ended(state, reason = "", counts = {}) {
    this.close();
    this.progress = 1;
    this.busy = "";
    this.#store({ state, reason, asked: undefined, ...counts });
    announce(`${this.name}: ${this.summary}`);
    if (this.#shown) this.read();
  }

  /** Derives the end of a job from its results. */
  #settle({ state, results }) {
    if (state === "failed") return this.#failed();
    if (state !== "done") return this.#ended(state);
    if (this.kind === "photos") return this.#ended("done", "", scanCounts(books.fromScan(results.books, this.choices)));
    if (results.enrichedBooks) return this.#ended("done", "", enrichmentCounts(results));
    this.#imported(results.books.length, results.errors.length);
  }

  /** One sentence about the job's state. */
  get summary() {
    const { state, found, missing, approved, review, reason, rejected } = this.record;
    const total = this.total || this.record.total;
    switch (state) {
      case "reading": return this.text || "Reading the file";
      case "running":
        if (this.connection === "waiting") return "Reconnecting…";
        return this.kind !== "photos" && this.done && total ? `${count(this.done, "book")} of ${count(total, "book").split(" ")[0]} looked up`
          : this.text || (this.kind === "photos" ? "Reading the photos" : "Queued");
      case "done": {
        if (this.kind === "photos") return `${count(this.record.total, "book")}: ${count(approved, "approved", "approved")}, ${review || 0} to review`;
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

  /** Loads the books. If they are being loaded, loads them again afterwards, because anything may have changed since. Resolves when this is done. */
  read() {
    if (!this.#reading) return this.#reading = this.#load().finally(() => { this.#reading = null; });
    return this.#next ??= this.#reading.catch(() => {}).then(() => {
      this.#next = null;
      return this.read();
    });
  }

  async #load() {
    try {
      if (this.record.state === "gone") await this.#lookAgain();
      const counts = await (this.kind === "photos" ? this.#readPhotos() : this.kind === "library" ? this.#readLibrary() : this.#readList());
      this.problem = "";
      // Retries in the background change the counts, too.
      if (counts) this.#store({ ...counts, retryable: retryable(this.books, this.photos) });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (failure.isNotOver) this.#resume();
      else if (!failure.isGone) this.problem = failure.message;
      else if (this.record.state === "done" || this.record.state === "gone") this.problem = "The service has deleted the results.";
    }
    this.#changed();
  }

  /** Requests the outcome again, because the service may have been unable to report how the job ended. */
  async #lookAgain() {
    const end = await outcome(this.#current.id);
    if (!end) this.#resume(); else if (end.state !== "gone") this.#settle(end);
  }

  /** Resumes following a job that has not ended after all. */
  #resume() {
    if (this.isRunning) return;
    this.#store({ state: "running" });
    this.#follow();
  }

  /** Shows a book that has just been looked up: a search for it is answered from the cache. */
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
    } catch { /* The final results contain the book. */ }
    await pause(peekPause);
    this.#peeking = false;
  }

  // Each of the following returns the counts of a job that had ended before its books were requested, otherwise undefined. An import without a lookup
  // also returns undefined, because its counts do not change.

  async #readList() {
    const isOver = !this.isRunning;
    if (!this.books && !isOver && this.record.asked) {
      this.books = this.record.asked.map((isbn) => ({ title: isbn, author: "", isbn, asked: isbn, state: "waiting" }));
    }
    if (!isOver) return undefined;
    const results = await readEnrichment(this.id);
    this.books = results.books;
    return results.counts;
  }

  async #readLibrary() {
    if (this.record.state === "reading") return undefined;
    const isOver = !this.isRunning;
    if (!this.books) {
      Object.assign(this, await readImport(this.id, Boolean(this.link)));
      this.#changed();
    }
    if (!this.link || !isOver) return undefined;
    const lookup = await readLookup(this.link.id);
    this.books = merged(this.books, lookup?.books || []);
    return lookup?.counts ?? {};
  }

  async #readPhotos() {
    if (this.isRunning) return undefined;
    Object.assign(this, await readScan(this.id));
    this.books = books.fromScan(this.scanned, this.choices);
    // A failed scan has results once a retry has read one of its photos.
    return { state: "done", reason: "", ...scanCounts(this.books) };
  }

  // MARK: Actions

  /** Runs one of the reader's actions; a failure is shown as a sentence. */
  async act(name, action) {
    if (this.busy) return;
    this.busy = name;
    this.problem = this.note = "";
    this.#changed();
    try {
      await action();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (failure.status === 401) this.#store({ isExpired: true });
      this.problem = failure.status === 401 ? "This job is too old to be changed. Add the books again to start a new lookup." : failure.message;
      announce(this.problem);
    } finally {
      this.busy = "";
      this.#changed();
    }
  }

  /** Once the job's token has expired, only its results can be read. */
  get canCancel() { return this.isRunning && !this.record.isExpired; }

  cancel() {
    return this.act("cancel", () => call(`/v1/jobs/${path(this.#current.id)}`, { method: "DELETE", token: this.#current.token }));
  }

  get canRetry() {
    return (this.record.state === "done" || this.record.state === "failed") && this.record.retryable > 0 && !this.record.isExpired;
  }

  retry() {
    return this.act("retry", async () => {
      const { id, token } = this.#current;
      const isScan = this.kind === "photos";
      const known = this.record.total || 0;
      const before = await this.#state();
      const { retrying } = await call(`/v1/jobs/${path(id)}/retry`, { method: "POST", token });
      announce(isScan ? "Trying the failed photos and books again." : `Trying ${count(retrying, "book")} again.`);
      let state = before;
      for (let checks = 0; checks < maxRetryChecks && retrying > 0; checks += 1) {
        await pause(1000);
        const newer = await this.#state();
        // When a photo is read again, the job's results change first and the photo's books later.
        const isSettled = !isScan || (newer.resultsRevision > before.resultsRevision && newer.resultsRevision === state.resultsRevision);
        state = newer;
        if (isSettled && !state.isRetrying) break;
      }
      await this.read();
      // A photo that is read again may add books that no source has.
      const more = Math.max(state.successCount - before.successCount, isScan ? (this.record.total || 0) - known : 0);
      this.note = more > 0 ? `${count(more, "more book")} found.` : "Nothing new was found.";
      announce(this.note);
    });
  }

  async #state() {
    const answer = await send(`/v1/jobs/${path(this.#current.id)}`, { token: this.#current.token });
    const { data, metadata } = await answer.json();
    // This device's clock may be wrong.
    return { ...data, isRetrying: data.laterRetries && Date.parse(data.laterRetries.nextAt) - Date.parse(metadata.timestamp) < soon };
  }

  /** Remembers the reader's decision about a book in a scan. */
  choose({ key }, choice) {
    this.#store({ choices: { ...this.choices, [key]: choice } });
    this.books = books.fromScan(this.scanned, this.choices);
    this.#store(scanCounts(this.books));
  }
}
