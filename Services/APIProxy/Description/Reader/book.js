// One book in a dialog.
import { call } from "./api.js";
import { fromSearch } from "./books.js";
import { byId, make } from "./dom.js";
import { cover } from "./shelf.js";

const readings = { read: "Read", reading: "Reading now", toRead: "To read", wantToRead: "To read", didNotFinish: "Not finished" };

function facts(book) {
  return [
    ["First published", book.year], ["This edition", [book.publisher, book.published].filter(Boolean).join(", ")],
    ["Binding", book.binding], ["Pages", book.pages], ["ISBN", book.isbn], ["Language", book.language],
    ["Your rating", book.rating], ["Your status", readings[book.reading] || book.reading],
    ["Your shelves", (book.shelves || []).join(", ")], ["Subjects", (book.subjects || []).join(", ")],
    ["Read on the spine", book.read],
  ].filter(([, value]) => value !== undefined && value !== "" && value !== null);
}

function suggestion(candidate) {
  return make("li", {}, make("strong", {}, candidate.title),
    ` ${[candidate.author, candidate.year, candidate.isbn].filter(Boolean).join(", ")}`);
}

/** A title search does not name the authors of each work; the edition's number leads to them. */
async function nameAuthor(book, line) {
  try {
    const [found] = fromSearch(await call(`/v1/search/isbn?isbn=${encodeURIComponent(book.isbn)}`));
    if (found?.author) line.textContent = `by ${found.author}`;
  } catch { /* The book is shown without its author. */ }
}

export function openBook(book) {
  const dialog = byId("book");
  const by = make("p", { class: "by" }, book.author ? `by ${book.author}` : "");
  if (!book.author && book.isbn && book.state === "found") nameAuthor(book, by);
  const list = facts(book);
  dialog.replaceChildren(
    make("div", { class: "book-view" }, cover(book),
      make("div", {},
        make("h2", { id: "book-title", tabindex: "-1" }, book.title),
        by,
        book.state === "missing" && make("p", { class: "notice" },
          book.reason, book.retryable ? ". “Retry failed” asks again." : ""),
        book.state === "waiting" && make("p", { class: "faint" }, "Still being looked up."),
        book.about && make("p", { class: "about" }, book.about),
        list.length > 0 && make("dl", {}, list.map(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))])),
        book.state === "missing" && book.candidates?.length > 0
          && [make("h3", {}, "It may be one of these"), make("ul", {}, book.candidates.map(suggestion))])),
    make("form", { method: "dialog" }, make("button", { class: "plain", type: "submit" }, "Close")));
  dialog.showModal();
  byId("book-title").focus();
}

byId("book").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
