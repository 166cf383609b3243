// Books as the page shows them: one small record per book, whatever response it came from.

const longestText = 900;
const cut = (text) => text && text.length > longestText ? `${text.slice(0, longestText).trimEnd()}…` : text;
const year = (date) => date ? String(date).slice(0, 4) : undefined;

const providers = { openlibrary: "Open Library", "google-books": "Google Books", isbndb: "ISBNdb" };

/** Why a row has no book, with the providers' names. */
const reason = (text) => text?.replace(/\b(?:openlibrary|google-books|isbndb)\b/g, (provider) => providers[provider]);

/** A record from a work, its edition and its authors. */
function record(work, edition, authors) {
  return {
    title: work?.title || edition?.title || "",
    author: (authors || []).map((author) => author.name).join(", "),
    year: work?.firstPublicationYear ?? year(edition?.publicationDate),
    isbn: edition?.isbn,
    publisher: edition?.publisher,
    published: edition?.publicationDate,
    pages: edition?.pageCount,
    binding: edition?.formatInferred ? undefined : edition?.format,
    language: edition?.language,
    about: cut(work?.description || edition?.editionDescription),
    subjects: (work?.subjectTags || []).slice(0, 8),
    cover: edition?.coverImageURL || work?.coverImageURL,
    state: "found",
  };
}

/** The works of a search; `editions[i]` belongs to `works[i]`, and works contain no authors. */
export function fromSearch(data) {
  return data.works.map((work, index) =>
    record(work, data.editions[index], data.works.length === 1 ? data.authors : work.authors));
}

/** The rows of an enrichment, in request order. */
export const fromEnrichment = (rows) => rows.map(fromRow);

export function fromRow(row) {
  if (row.success && row.enriched) {
    const { work, edition, authors } = row.enriched;
    return { ...record(work, edition, authors), isbn: edition?.isbn || row.isbn, asked: row.isbn, row: row.row };
  }
  return {
    title: row.title || row.isbn || "Untitled", author: row.author || "", isbn: row.isbn, asked: row.isbn, row: row.row,
    state: "missing", reason: reason(row.error) || "Not found", retryable: row.retryable === true,
    candidates: candidates(row.candidates),
  };
}

export const candidates = (list) => (list || []).map((found) => record(found.work, found.edition, found.authors));

/** The books of a library file, as they were read from it. */
export function fromImport(books, enriches) {
  return books.map((book) => ({
    title: book.title || book.isbn || "Untitled", author: book.author, isbn: book.isbn, row: book.row,
    year: book.originalYear ?? book.publicationYear, publisher: book.publisher, pages: book.pageCount,
    rating: book.rating, reading: book.status, shelves: (book.shelves || []).slice(0, 8), state: enriches ? "waiting" : "found",
    // Without enrichment, all data is the reader's own, so there is nothing to report.
    isOnlyOwn: !enriches,
  }));
}

/** Adds what an enrichment found to the file's book. The file's own rating, reading status, shelves and, unless empty, title and author are kept. */
export function complete(book, found) {
  const { rating, reading, shelves, row, title, author } = book;
  if (found.state === "missing") {
    return { ...book, state: "missing", reason: found.reason, retryable: found.retryable, candidates: found.candidates };
  }
  return { ...found, title: title || found.title, author: author || found.author, rating, reading, shelves, row };
}

/**
 * Identifies a book of a scan and its candidates, wherever the book is in the results: a retry may add books, and leaves out a spine that turns out
 * to show the same book as another one.
 */
const scanKey = ({ photoIndex, boundingBox: { x1, y1 }, text }, options) => JSON.stringify([photoIndex, x1, y1, text, ...options.map(({ title, isbn }) => [title, isbn])]);

/** The books of a scan. `choices` are the reader's decisions by `key`: a candidate's index, -1 for none of them, -2 to approve the book as it is. */
export function fromScan(books, choices = {}) {
  return books.map((book, index) => {
    const found = book.enrichment
      ? record(book.enrichment.work, book.enrichment.editions?.[0], book.enrichment.authors) : {};
    const options = candidates(book.candidates);
    const key = scanKey(book, options);
    const choice = choices[key];
    const chosen = choice >= 0 ? options[choice] : undefined;
    return {
      ...found, ...chosen, title: chosen?.title || book.title || "Unreadable spine", author: chosen?.author || book.author,
      isbn: chosen?.isbn || book.isbn, index, key, photo: book.photoIndex, box: book.boundingBox, read: book.text,
      confidence: book.confidence, candidates: options, choice, reason: reason(book.error), retryable: book.retryable === true,
      state: chosen || choice === -2 || book.reviewStatus === "verified" ? "found" : "review",
    };
  });
}

export const stateText = { waiting: "Waiting", found: "Found", missing: "Not found", review: "To review" };
