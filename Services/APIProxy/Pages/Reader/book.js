// One book in a dialog.
import { call, Failure } from "./api.js";
import { fromSearch } from "./books.js";
import { byId, languageName, listed, make, yearName } from "./dom.js";
import { cover } from "./shelf.js";

const readings = { read: "Read", reading: "Reading now", toRead: "To read", wantToRead: "To read", didNotFinish: "Not finished" };

function facts(book) {
  return [
    ["First published", book.year && yearName(book.year)], ["This edition", [book.publisher, book.published].filter(Boolean).join(", ")],
    ["Binding", book.binding], ["Pages", book.pages], ["ISBN", book.isbn], ["Language", book.language && languageName(book.language)],
    ["Your rating", book.rating], ["Your status", readings[book.reading] || book.reading],
    ["Your shelves", (book.shelves || []).join(", ")], ["Subjects", (book.subjects || []).join(", ")],
    ["Text on the spine", book.read],
  ].filter(([, value]) => value !== undefined && value !== "" && value !== null);
}

function suggestion(candidate) {
  return make("li", {}, make("strong", { class: "title" }, candidate.title), " ",
    listed(candidate.author && make("bdi", {}, candidate.author), candidate.year && yearName(candidate.year), candidate.isbn));
}

const written = (author) => author ? ["by ", make("bdi", {}, author)] : [];

/** A title search does not list each work's authors; a search for the edition's ISBN finds them. */
async function nameAuthor(book, line) {
  try {
    const [found] = fromSearch(await call(`/v1/search/isbn?isbn=${encodeURIComponent(book.isbn)}`));
    if (found?.author) line.replaceChildren(...written(found.author));
  } catch { /* The book is shown without its author. */ }
}

const thanks = {
  scheduled: "Thank you. The sources will be checked again; later searches and imports will show any new data.",
  recent: "Thank you. The sources were already checked within the last day and may have nothing new.",
  budget: "Thank you. The report is saved, but the sources cannot be checked again today.",
  not_asked: "This book was not looked up within the last day. Please search for its ISBN, then report it again.",
};

/** The report fields that a book lacks, as far as this page knows. */
const lacking = (book) => Object.entries({ cover: book.cover, description: book.about, publisher: book.publisher, pageCount: book.pages,
  language: book.language, subjects: book.subjects?.length }).filter(([, value]) => !value).map(([name]) => name);

/** A button for reporting that something is missing from a book's data, and the response to the report. */
function report(book) {
  // Not disabled while the report is being sent, because that would take the focus from it.
  let isSent = false;
  const button = make("button", { class: "plain", type: "button", click: async () => {
    if (isSent) return;
    isSent = true;
    let answer;
    try {
      const { lookup } = await call("/v1/reports/missing-metadata", { method: "POST", body: { isbn: book.isbn, fields: lacking(book) } });
      answer = thanks[lookup] || thanks.not_asked;
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      answer = failure.message;
      isSent = false;
    }
    note.textContent = answer;
  } }, "Something is missing");
  // In the dialog, because screen readers announce nothing outside it while it is open.
  const note = make("p", { class: "faint", role: "status" });
  return [button, note];
}

/** Identifies the open book's entry in the browser history. */
let entry = 0;

export function openBook(book) {
  const dialog = byId("book");
  const by = make("p", { class: "by" }, written(book.author));
  if (!book.author && book.isbn && book.state === "found") nameAuthor(book, by);
  const list = facts(book);
  const [button, note] = book.isbn && book.state !== "waiting" && !book.isOnlyOwn ? report(book) : [];
  dialog.replaceChildren(
    make("div", { class: "book-view" }, cover(book),
      make("div", {},
        make("h2", { id: "book-title", tabindex: "-1" }, book.title),
        by,
        book.state === "missing" && make("p", { class: "notice" },
          book.reason, book.retryable ? ". Use “Retry failed” to try again." : ""),
        book.state === "waiting" && make("p", { class: "faint" }, "Still being looked up."),
        book.about && make("p", { class: "about" }, book.about),
        list.length > 0 && make("dl", {}, list.map(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))])),
        book.state === "missing" && book.candidates?.length > 0
          && [make("h3", {}, "Possible matches"), make("ul", {}, book.candidates.map(suggestion))])),
    make("form", { method: "dialog" }, button, " ", make("button", { class: "plain", type: "submit" }, "Close"), note));
  dialog.showModal();
  entry = Date.now();
  history.pushState({ book: entry }, "");
  byId("book-title").focus();
}

byId("book").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});

// A book is an entry in the browser history, so that going back closes it. Only the open book's own entry counts: entries of books that were open
// before a reload, or before a started job was shown, remain in the history.
const isAtEntry = () => history.state?.book === entry;
byId("book").addEventListener("close", () => { if (isAtEntry()) history.back(); });
addEventListener("popstate", () => { if (byId("book").open && !isAtEntry()) byId("book").close(); });
