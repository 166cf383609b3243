// A job's results: its books, its photos, and the counts that its card shows.
import { call, Failure } from "./api.js";
import * as books from "./books.js";

const path = (id) => encodeURIComponent(id);

/** The counts of an enrichment, from its results or from the frame at its end. */
export const enrichmentCounts = ({ successCount, failureCount }) =>
  ({ found: successCount, missing: failureCount, total: successCount + failureCount });

/** The counts of a scan's books. */
export function scanCounts(found) {
  const review = found.filter((book) => book.state === "review").length;
  return { total: found.length, review, approved: found.length - review };
}

/** How many books and photos failed for a reason that may have passed. */
export const retryable = (found, photos) => found.filter((book) => book.retryable).length + unread(photos);

/** How many photos could not be read. Any of them may be read again (scans.md "Retries"). */
export const unread = (photos) => photos.filter((photo) => photo.status === "error").length;

/** An enrichment that has ended. Throws `Failure`. */
export async function readEnrichment(id) {
  const data = await call(`/v1/enrichment/results/${path(id)}`);
  return { books: books.fromEnrichment(data.enrichedBooks), counts: enrichmentCounts(data) };
}

/** The enrichment of a library file's books; null if it has no results. Throws `Failure`. */
export async function readLookup(id) {
  try {
    return await readEnrichment(id);
  } catch (failure) {
    if (failure instanceof Failure && failure.isGone && !failure.isNotOver) return null;
    throw failure;
  }
}

/** A library file's books as they were read from the file, and its first unusable rows. Throws `Failure`. */
export async function readImport(id, isLookedUp) {
  const data = await call(`/v1/csv/results/${path(id)}`);
  return { books: books.fromImport(data.books, isLookedUp), errors: data.errors.slice(0, 200) };
}

/** A library file's books with what their enrichment found. */
export function merged(imported, rows) {
  const found = new Map(rows.map((row) => [row.row, row]));
  return imported.map((book) => {
    const row = found.get(book.row);
    // A retry may have changed why a book is missing and whether it can be retried again; a found book stays as it is, so its row is not redrawn.
    if (row && (row.state === "missing" || book.state !== row.state)) return books.complete(book, row);
    return book.state === "waiting" ? { ...book, state: "found" } : book;
  });
}

/** A scan that has ended: its books as the service returned them, and its photos. Throws `Failure`. */
export async function readScan(id) {
  const data = await call(`/v1/scan/results/${path(id)}`);
  return { scanned: data.books, photos: data.photos };
}
