// A job as a card: its name, its progress, and the actions on it.
import { ago, byId, make } from "./dom.js";
import { download } from "./downloads.js";
import { remove } from "./jobs.js";

const kinds = { library: "Library file", photos: "Photos", list: "List of ISBNs" };

export class JobCard {
  #job; #listener = () => this.draw(); #timer = setInterval(this.#listener, 30000); #parts; #isPage;

  /** `heading` is the element for the name. `h1` means that the card is on the job's own page, where the name is not a link. */
  constructor(job, heading = "h3") {
    this.#job = job;
    const isPage = this.#isPage = heading === "h1";
    const button = (label, action, kind = "plain") =>
      make("button", { type: "button", class: kind, click: action, "aria-label": `${label}: ${job.name}` }, label);
    this.#parts = {
      bar: make("progress", { max: "1", "aria-label": `Progress of ${job.name}` }),
      status: make("p", { class: "status" }), problem: make("p", { class: "notice", role: "alert" }),
      note: make("p", { class: "faint" }), when: make("p", { class: "faint" }),
      cancel: button("Cancel", () => job.cancel()), retry: button("Retry failed", () => job.retry()),
      csv: button("CSV", () => this.#save("csv")), json: button("JSON", () => this.#save("json")),
      remove: button("Remove", () => this.#remove()),
    };
    const { bar, status, problem, note, when, ...buttons } = this.#parts;
    const name = isPage ? make("h1", { id: "job-title", tabindex: "-1" }, job.name)
      : make(heading, {}, make("a", { href: `#job=${encodeURIComponent(job.id)}` }, job.name));
    this.node = make(isPage ? "div" : "li", { class: "jobcard" },
      make("div", { class: "jobname" }, name, when),
      make("div", { class: "jobstate" }, status, note, bar, problem), make("div", { class: "actions" }, Object.values(buttons)));
    job.addEventListener("change", this.#listener);
    this.draw();
  }

  close() {
    clearInterval(this.#timer);
    this.#job.removeEventListener("change", this.#listener);
  }

  /** Removes the job. In the list, the focus moves to a neighboring card; from the job's own page, the start page opens. */
  #remove() {
    const near = this.node.nextElementSibling || this.node.previousElementSibling;
    remove(this.#job.id);
    if (this.#isPage) location.hash = "#home"; else (near?.querySelector("a") || byId("jobs-title")).focus();
  }

  async #save(format) {
    await this.#job.act(format, async () => {
      if (!this.#job.books) await this.#job.read();
      if (this.#job.books) await download(this.#job, format);
    });
  }

  draw() {
    const job = this.#job;
    const { bar, status, problem, note, when, cancel, retry, csv, json, remove } = this.#parts;
    const { state } = job.record;
    status.textContent = job.busy === "retry" ? `Trying the failed ${job.kind === "photos" ? "photos and books" : "books"} again…` : job.busy === "cancel" ? "Cancelling…" : job.summary;
    status.className = `status is-${state}`;
    bar.hidden = !job.isRunning;
    if (job.progress > 0) bar.value = job.progress; else bar.removeAttribute("value");
    when.textContent = `${kinds[job.kind]}, ${ago(job.record.createdAt)}`;
    note.textContent = job.note;
    note.hidden = !job.note;
    problem.textContent = job.problem;
    problem.hidden = !job.problem;
    // A library file's own books are kept even if their lookup is cancelled or fails.
    const hasResults = state === "done" || (job.kind === "library" && state !== "gone" && job.record.total >= 0);
    hide(cancel, !job.canCancel);
    hide(retry, !job.canRetry);
    hide(csv, !hasResults);
    hide(json, !hasResults || job.isRunning);
    hide(remove, job.canCancel);
    // Not disabled, because that would take the focus from it.
    for (const button of [cancel, retry, csv, json]) button.setAttribute("aria-disabled", String(Boolean(job.busy)));
  }
}

/** When a button is hidden, the focus moves to its job's name instead of being lost. */
function hide(button, hidden) {
  if (hidden && document.activeElement === button) button.closest(".jobcard").querySelector("a, h1")?.focus();
  button.hidden = hidden;
}
