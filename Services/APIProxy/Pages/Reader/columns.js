// What the columns of a library file mean, and how each one was recognized; shared by the page for readers and the console.

/** Display names of column roles. */
export const roles = {
  title: "Title", subtitle: "Subtitle", author: "Author", authors: "More authors", isbn: "ISBN", isbn10: "ISBN-10", isbn13: "ISBN-13",
  status: "Reading status", shelves: "Shelves", tags: "Tags", rating: "Rating", dateRead: "Date finished", dateStarted: "Date started",
  dateAdded: "Date added", readCount: "Times read", owned: "Owned", review: "Review", notes: "Notes", publisher: "Publisher",
  publicationYear: "Edition year", originalYear: "First publication year", publicationDate: "Publication date",
  pageCount: "Pages", language: "Language", format: "Binding", series: "Series", position: "Series number",
  goodreadsBookId: "Goodreads ID", librarythingId: "LibraryThing ID", openLibraryWork: "Open Library work",
  openLibraryEdition: "Open Library edition", asin: "Amazon ID", googleVolumeId: "Google Books ID", mediaType: "Item type",
};
const sources = { format: "known export", header: "by its name", content: "by its contents", ai: "suggested by an AI model", request: "your choice" };
/** The names of the apps that files come from, by format. */
export const apps = { goodreads: "Goodreads", storygraph: "StoryGraph", librarything: "LibraryThing", bookwyrm: "BookWyrm", calibre: "Calibre",
  openlibrary: "Open Library", hardcover: "Hardcover", babelio: "Babelio", notion: "Notion", kindle: "Kindle", libby: "Libby",
  "isbn-list": "a list of ISBNs", "title-list": "a list of titles", unknown: "a table" };

/** "by its name, 90%". */
export const evidence = ({ by, confidence }) => !by ? "" : by === "request" ? sources.request : `${sources[by]}, ${Math.round(100 * confidence)}%`;
