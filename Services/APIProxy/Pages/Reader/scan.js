// A scan's photos with a box around each spine, and the books next to them.
import { openBook } from "./book.js";
import { send } from "./api.js";
import { count, listed, make, whenVisible, yearName } from "./dom.js";
import { framed } from "./photo.js";
import { cover } from "./shelf.js";

export class ScanView {
  #job; #node; #drawn = null; #closed = false;
  /** A promise of each photo's address, undefined if the photo cannot be loaded; the view is drawn many times while a photo is loading. */
  #pictures = new Map();

  constructor(parent, job) {
    this.#job = job;
    this.#node = make("div", { class: "scan" });
    parent.replaceChildren(this.#node);
  }

  close() {
    this.#closed = true;
    for (const loading of this.#pictures.values()) loading.then((picture) => { if (picture) URL.revokeObjectURL(picture); });
  }

  draw() {
    const job = this.#job;
    if (!job.books) {
      const photos = job.photos.length > 0 ? job.photos : Array.from({ length: job.record.photos || 1 }, (_, index) => ({ index, status: "queued" }));
      const key = JSON.stringify([photos, job.problem]);
      if (key === this.#drawn || !job.isRunning) return;
      this.#drawn = key;
      this.#node.replaceChildren(...photos.map((photo) => this.#photo(photo, [])));
      return;
    }
    if (this.#drawn === job.books) return;
    const focus = document.activeElement?.id;
    this.#drawn = job.books;
    this.#node.replaceChildren(...job.photos.map((photo) => this.#photo(photo, job.books.filter((book) => book.photo === photo.index))));
    // Once a book is approved, it no longer has a button to approve it.
    if (focus) (document.getElementById(focus) || document.getElementById(focus.replace("approve-", "details-")))?.focus();
  }

  #photo(photo, books) {
    const title = `Photo ${photo.index + 1}`;
    const said = photo.error || { queued: "Waiting", processing: "Being read…", complete: count(books.length || photo.booksFound, "book") }[photo.status];
    const image = make("img", { alt: `${title} in the scan`, hidden: true });
    this.#show(photo.index, image);
    const frame = framed(photo, image, books.map(({ state, box }, place) => ({ label: String(place + 1), state, box })));
    return make("section", { class: "photo", "aria-label": title },
      make("div", { class: "picture" }, frame.node,
        make("p", { class: photo.error ? "notice" : "faint" }, `${title}: `, said)),
      make("ol", { class: "found" }, books.map((book, place) => this.#book(book, place, frame))));
  }

  async #show(index, image) {
    image.addEventListener("load", () => { image.hidden = false; }, { once: true });
    if (!this.#pictures.has(index)) this.#pictures.set(index, this.#load(index));
    const picture = await this.#pictures.get(index);
    if (picture && !this.#closed) image.src = picture;
  }

  async #load(index) {
    try {
      await new Promise(whenVisible);
      const answer = await send(`/v1/scan/photos/${encodeURIComponent(this.#job.id)}/${index}`, { token: this.#job.record.token });
      return URL.createObjectURL(await answer.blob());
    } catch {
      // The boxes and the books are enough without the photo; it is requested again when the view is drawn again.
      this.#pictures.delete(index);
      return undefined;
    }
  }

  #book(book, place, frame) {
    const mark = (isMarked) => frame.mark(place, isMarked);
    const isApproved = book.state === "found";
    return make("li", { class: `spine is-${book.state}`, mouseenter: () => mark(true), mouseleave: () => mark(false),
      focusin: () => mark(true), focusout: () => mark(false) },
    make("span", { class: "place", "aria-hidden": "true" }, String(place + 1)), cover(book),
    make("div", {},
      make("p", { class: "title" }, book.title), make("p", { class: "author" }, listed(book.author && make("bdi", {}, book.author), book.year && yearName(book.year))),
      make("p", { class: "line" }, make("span", { class: `tag is-${book.state}` }, isApproved ? "Approved" : "To review"),
        make("span", { class: "faint" }, `read with ${Math.round(100 * (book.confidence || 0))}% confidence`)),
      !isApproved && book.read && make("p", { class: "faint" }, "On the spine: “", make("bdi", {}, book.read), "”"),
      !isApproved && book.candidates.length === 0 && book.reason && make("p", { class: "faint" }, book.reason),
      this.#decision(book),
      make("p", { class: "line buttons" },
        book.isbn && make("button", { type: "button", class: "plain", id: `details-${book.index}`, click: () => openBook(book), "aria-label": `Details of ${book.title}` }, "Details"),
        !isApproved && book.candidates.length === 0 && book.isbn && make("button", { type: "button", class: "plain", id: `approve-${book.index}`,
          click: () => this.#job.choose(book, -2), "aria-label": `Approve ${book.title}` }, "Approve"))));
  }

  /** The candidates as a group of radio buttons. */
  #decision(book) {
    if (book.candidates.length === 0) return null;
    const option = (value, ...label) => {
      const id = `choice-${book.index}-${value + 1}`;
      return make("p", { class: "option" },
        make("input", { type: "radio", name: `choice-${book.index}`, id, value, checked: book.choice === value,
          change: () => this.#job.choose(book, value) }), make("label", { for: id }, label));
    };
    return make("fieldset", {}, make("legend", {}, "Which book is it?"),
      book.candidates.map((candidate, value) => option(value, make("span", { class: "title" }, candidate.title), " ",
        listed(candidate.author && make("bdi", {}, candidate.author), candidate.year && yearName(candidate.year)))), option(-1, "None of these"));
  }
}
