// What the columns of a library file mean, and how that was recognised; of the page for readers and of the console.

/** Names of the roles of columns. */
export const roles = {
  title: "Title", subtitle: "Subtitle", author: "Author", authors: "More authors", isbn: "ISBN", isbn10: "ISBN-10", isbn13: "ISBN-13",
  status: "Reading status", shelves: "Shelves", tags: "Tags", rating: "Rating", dateRead: "Date finished", dateStarted: "Date started",
  dateAdded: "Date added", readCount: "Times read", owned: "Owned", review: "Review", notes: "Notes", publisher: "Publisher",
  publicationYear: "Year of the edition", originalYear: "Year of first publication", publicationDate: "Date of publication",
  pageCount: "Pages", language: "Language", format: "Binding", series: "Series", position: "Number in the series",
  goodreadsBookId: "Goodreads number", librarythingId: "LibraryThing ID", openLibraryWork: "Open Library work",
  openLibraryEdition: "Open Library edition", asin: "Amazon number", googleVolumeId: "Google Books ID", mediaType: "Kind of item",
};
const sources = { format: "known export", header: "by its name", content: "by its cells", ai: "suggested by an AI model", request: "your choice" };
/** Names of the apps that files come from, by format. */
export const apps = { goodreads: "Goodreads", storygraph: "StoryGraph", librarything: "LibraryThing", bookwyrm: "BookWyrm", calibre: "Calibre",
  openlibrary: "Open Library", hardcover: "Hardcover", babelio: "Babelio", notion: "Notion", kindle: "Kindle", libby: "Libby",
  "isbn-list": "a list of ISBNs", "title-list": "a list of titles", unknown: "a table" };

/** "by its name, 90%". */
export const evidence = ({ by, confidence }) => !by ? "" : by === "request" ? sources.request : `${sources[by]}, ${Math.round(100 * confidence)}%`;
