// One job with its books: a shelf that can be filtered, or the photos of a scan.
import { openBook } from "./book.js";
import { stateText } from "./books.js";
import { byId, count, make } from "./dom.js";
import { Insights } from "./insights.js";
import { JobCard } from "./jobcard.js";
import { ScanView } from "./scan.js";
import { Shelf } from "./shelf.js";

export class JobView {
  #job; #card; #insights; #shelf; #scan; #listener = () => this.draw(); #filter; #state; #note; #body; #books = null;

  constructor(job) {
    this.#job = job;
    this.#card = new JobCard(job, "h1");
    this.#insights = new Insights(job);
    this.#filter = make("input", { type: "search", id: "filter", placeholder: "Title, author or ISBN", input: () => this.#select() });
    this.#state = make("select", { id: "filter-state", change: () => this.#select() },
      make("option", { value: "" }, "All"), Object.entries(stateText).map(([value, text]) => make("option", { value }, text)));
    this.#note = make("p", { class: "faint", role: "status" });
    this.#body = make("div", {});
    this.bar = make("div", { class: "filters", hidden: true },
      make("label", {}, "Filter ", this.#filter), make("label", {}, "Show ", this.#state));
    byId("job").replaceChildren(make("p", {}, make("a", { href: "#home" }, "← Home")), this.#card.node, this.#insights.node,
      this.bar, this.#note, this.#body);
    if (job.kind === "photos") this.#scan = new ScanView(this.#body, job);
    else this.#shelf = new Shelf(this.#body, `Books in ${job.name}`, openBook);
    job.addEventListener("change", this.#listener);
    job.shown = true;
    this.draw();
    byId("job-title").focus({ preventScroll: true });
  }

  close() {
    this.#job.removeEventListener("change", this.#listener);
    this.#job.shown = false;
    this.#card.close();
    this.#insights.close();
    this.#shelf?.close();
    this.#scan?.close();
    byId("job").replaceChildren();
  }

  draw() {
    const { books, isRunning, problem, record } = this.#job;
    this.#insights.draw();
    if (this.#scan) return this.#scan.draw();
    if (books === this.#books) {
      if (!books) this.#note.textContent = isRunning ? "The shelf fills as soon as the books are known." : record.state !== "done" || problem ? "" : "Loading the books…";
      return;
    }
    this.#books = books;
    this.bar.hidden = books.length < 8;
    this.#select();
  }

  #select() {
    if (!this.#books) return;
    const text = this.#filter.value.trim().toLowerCase();
    const state = this.#state.value;
    const books = !text && !state ? this.#books : this.#books.filter((book) => (!state || book.state === state)
      && (!text || `${book.title} ${book.author} ${book.isbn}`.toLowerCase().includes(text)));
    this.#shelf.books = books;
    this.#note.textContent = this.#books.length === 0 ? "This job has no books."
      : books.length === this.#books.length ? count(books.length, "book") : `${count(books.length, "book")} of ${this.#books.length.toLocaleString("en")}`;
  }
}
