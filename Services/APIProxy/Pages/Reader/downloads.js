// Downloads as CSV and JSON.
import { call, Failure, send } from "./api.js";
import { fromScan } from "./books.js";
import { make } from "./dom.js";

const columns = ["title", "author", "isbn", "year", "publisher", "published", "pages", "binding", "language", "status",
  "reason", "subjects", "cover"];

/** A cell that no spreadsheet mistakes for a formula (imports.md "CSV files"), quoted according to RFC 4180. */
function cell(value) {
  let text = value === undefined || value === null ? "" : String(value);
  if (/^'*[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (book) => columns.map((name) =>
  cell(name === "status" ? book.state : name === "subjects" ? (book.subjects || []).join("; ") : book[name])).join(",");

const table = (books) => new Blob([[columns.join(","), ...books.map(line), ""].join("\r\n")], { type: "text/csv" });

const path = (id) => encodeURIComponent(id);

/** A library file's books as they were read from the file, so that they can be imported again; for other jobs, all books with their states. */
async function csv(job) {
  if (job.kind !== "library") return table(job.books);
  return (await send(`/v1/csv/results/${path(job.id)}?format=csv`)).blob();
}

const results = (id) => call(`/v1/jobs/${path(id)}/results`);

/** The rows of a lookup; undefined if it has no results, for example because it was cancelled. Throws `Failure`. */
async function lookedUp(id) {
  try {
    return (await results(id)).enrichedBooks;
  } catch (failure) {
    if (failure instanceof Failure && failure.isGone && !failure.isNotOver) return undefined;
    throw failure;
  }
}

async function json(job) {
  const all = await results(job.id);
  if (job.kind === "library" && job.link) all.enrichedBooks = await lookedUp(job.link.id);
  if (job.kind === "photos" && job.choices) {
    // By the book's index in these results.
    all.choices = Object.fromEntries(fromScan(all.books, job.choices).filter((book) => book.choice !== undefined).map((book) => [book.index, book.choice]));
  }
  return new Blob([JSON.stringify(all, null, 1)], { type: "application/json" });
}

/** Saves a job's results. Throws `Failure`. */
export async function download(job, format) {
  const content = format === "csv" ? await csv(job) : await json(job);
  const address = URL.createObjectURL(content);
  const stem = job.name.replace(/\.[A-Za-z0-9]{1,5}$/, "").replace(/[^\p{L}\p{N}._ -]+/gu, " ").trim().slice(0, 60) || "books";
  const link = make("a", { href: address, download: `${stem}.${format}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
