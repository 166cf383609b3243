// A shelf with any number of covers: only the rows on or near the screen and the row with the focus are in the document.
import { load } from "./covers.js";
import { make, yearName } from "./dom.js";
import { stateText } from "./books.js";

const tones = 8;

/** The same color for the same book, wherever it appears. */
function tone(text) {
  let hash = 7;
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash % tones;
}

/**
 * A cover: the image, if there is one, on top of a drawn binding with title and author. An ISBN that replaces a missing title does not fit on one line
 * of the binding, so only the caption contains it.
 */
export function cover(book, give = () => {}) {
  const title = /^[\dX]{10,}$/.test(book.title) ? "" : book.title;
  const node = make("span", { class: `cover tone-${tone(`${book.title}${book.author}`)}`, "aria-hidden": "true" },
    make("span", { class: "spine-title" }, title), make("span", { class: "spine-author" }, book.author));
  if (book.cover) {
    const image = make("img", { alt: "", decoding: "async", hidden: true });
    node.append(image);
    give(load(book.cover, image));
  }
  return node;
}

export class Shelf {
  #node; #books = []; #rows = new Map(); #columns = 1; #height = 1; #active = 0; #open; #due = false;

  constructor(parent, label, open) {
    this.#open = open;
    this.#node = make("div", { class: "shelf", role: "list", "aria-label": label, keydown: (event) => this.#key(event) });
    parent.replaceChildren(this.#node);
    this.listener = () => this.#later();
    addEventListener("scroll", this.listener, { passive: true });
    this.observer = new ResizeObserver(() => this.#measure());
    this.observer.observe(this.#node);
  }

  close() {
    removeEventListener("scroll", this.listener);
    this.observer.disconnect();
    for (const index of [...this.#rows.keys()]) this.#remove(index);
  }

  /** Shows these books; a row is rebuilt only if one of its books or the number of all books has changed. */
  set books(books) {
    const before = this.#books;
    this.#books = books;
    this.#active = Math.min(this.#active, Math.max(0, books.length - 1));
    const sameLength = before.length === books.length;
    for (const [index, row] of this.#rows) {
      const start = index * this.#columns;
      const same = sameLength && row.books.every((book, place) => book === books[start + place]);
      if (!same) this.#renew(index);
    }
    this.#size();
    this.#draw();
  }

  #measure() {
    const width = this.#node.clientWidth;
    if (!width) return;
    const letter = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const [least, gap] = width < 520 ? [5.4 * letter, 12] : width < 900 ? [7.2 * letter, 20] : [8.2 * letter, 26];
    const columns = Math.max(2, Math.floor((width + gap) / (least + gap)));
    const cell = (width - gap * (columns - 1)) / columns;
    const height = Math.ceil(cell * 1.5 + 5.6 * letter);
    if (columns === this.#columns && height === this.#height) return this.#draw();
    const first = this.#firstVisible() * this.#columns;
    this.#columns = columns;
    this.#height = height;
    this.#node.style.setProperty("--cell", `${cell}px`);
    this.#node.style.setProperty("--gap", `${gap}px`);
    for (const index of [...this.#rows.keys()]) this.#remove(index);
    this.#size();
    if (first > 0) scrollBy(0, this.#node.getBoundingClientRect().top + Math.floor(first / columns) * height);
    this.#draw();
  }

  get #count() { return Math.ceil(this.#books.length / this.#columns); }

  #size() { this.#node.style.setProperty("height", `${this.#count * this.#height}px`); }

  #firstVisible() { return Math.max(0, Math.floor(-this.#node.getBoundingClientRect().top / this.#height)); }

  #later() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => { this.#due = false; this.#draw(); });
  }

  #draw() {
    if (!this.#node.isConnected || this.#height <= 1) return;
    const above = -this.#node.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(above / this.#height) - 2);
    const last = Math.min(this.#count - 1, Math.floor((above + innerHeight) / this.#height) + 2);
    const focused = this.#focusedRow();
    for (const index of [...this.#rows.keys()]) {
      if ((index < first || index > last) && index !== focused) this.#remove(index);
    }
    for (let index = first; index <= last; index += 1) if (!this.#rows.has(index)) this.#add(index);
    this.#markActive();
  }

  #focusedRow() {
    const cell = document.activeElement?.closest?.("[aria-posinset]");
    return cell && this.#node.contains(cell) ? Math.floor((Number(cell.getAttribute("aria-posinset")) - 1) / this.#columns) : -1;
  }

  #add(index) {
    const releases = [];
    const start = index * this.#columns;
    const books = this.#books.slice(start, start + this.#columns);
    const node = make("div", { class: "row", role: "none" },
      books.map((book, place) => this.#cell(book, start + place, (release) => releases.push(release))));
    node.style.setProperty("transform", `translateY(${index * this.#height}px)`);
    this.#rows.set(index, { node, books, releases });
    const after = [...this.#rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.#node.insertBefore(node, after === undefined ? null : this.#rows.get(after).node);
  }

  #remove(index) {
    const row = this.#rows.get(index);
    this.#rows.delete(index);
    for (const release of row.releases) release();
    row.node.remove();
  }

  /** Rebuilds a row and keeps the focus if the row has it. */
  #renew(index) {
    const hadFocus = this.#focusedRow() === index;
    this.#remove(index);
    if (index >= this.#count) return;
    this.#add(index);
    if (hadFocus) this.#button(this.#active)?.focus({ preventScroll: true });
  }

  #cell(book, index, give) {
    const flag = book.state === "found" ? "" : stateText[book.state];
    return make("div", { class: "cell", role: "listitem", "aria-setsize": this.#books.length, "aria-posinset": index + 1 },
      make("button", { class: `book is-${book.state}`, type: "button", tabindex: index === this.#active ? "0" : "-1",
        focus: () => { this.#active = index; this.#markActive(); }, click: () => this.#open(book, index) },
      cover(book, give),
      make("span", { class: "caption" }, make("span", { class: "title" }, book.title),
        make("span", { class: "author" }, book.author || (book.year && yearName(book.year)) || "")),
      flag && make("span", { class: "flag" }, flag)));
  }

  #button(index) {
    return this.#node.querySelector(`[aria-posinset="${index + 1}"] > button`);
  }

  #markActive() {
    for (const button of this.#node.querySelectorAll('button[tabindex="0"]')) button.tabIndex = -1;
    const active = this.#button(this.#active) || this.#node.querySelector("button.book");
    if (active) active.tabIndex = 0;
  }

  #key(event) {
    const page = Math.max(1, Math.floor(innerHeight / this.#height)) * this.#columns;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns, ArrowUp: -this.#columns,
      PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.focus(this.#active + steps[event.key]);
  }

  /** Moves the focus to a book, wherever it is. */
  focus(index) {
    this.#active = Math.max(0, Math.min(this.#books.length - 1, index));
    const row = Math.floor(this.#active / this.#columns);
    const top = this.#node.getBoundingClientRect().top + row * this.#height;
    if (top < 90) scrollBy(0, top - 90);
    else if (top + this.#height > innerHeight) scrollBy(0, top + this.#height - innerHeight);
    if (!this.#rows.has(row)) this.#add(row);
    this.#button(this.#active)?.focus({ preventScroll: true });
    this.#draw();
  }
}
