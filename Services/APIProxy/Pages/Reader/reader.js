// Assembles the page: addresses, dropped files, the list of jobs.
import { addISBNs, addPhotos, readISBNs } from "./adding.js";
import { call, Failure } from "./api.js";
import { openBook } from "./book.js";
import { fromSearch } from "./books.js";
import { announce, byId, count } from "./dom.js";
import { JobCard } from "./jobcard.js";
import { all, find, isLasting, onList } from "./jobs.js";
import { JobView } from "./jobview.js";
import { LibraryPreview } from "./library.js";
import { Shelf } from "./shelf.js";

const sections = ["home", "results", "preview", "job"];
const cards = new Map();
let view = null;
let file = null;
let isFirst = true;
let isAdding = false;

// MARK: Addresses

function show(id, title) {
  for (const section of sections) byId(section).hidden = section !== id;
  document.title = title ? `${title} · BooksTrack` : "BooksTrack";
  scrollTo(0, 0);
}

function route() {
  view?.close();
  view = null;
  if (byId("book").open) byId("book").close();
  byId("problem").hidden = true;
  const [name, ...rest] = location.hash.slice(1).split("=");
  let value = "";
  try { value = decodeURIComponent(rest.join("=")); } catch { /* A malformed address leads to the start page. */ }
  if (name === "search" && value) showSearch(value);
  else if (name === "job" && find(value)) { show("job", find(value).name); view = new JobView(find(value)); }
  else if (name === "preview" && file) { show("preview", file.name); view = new LibraryPreview(file, go, tell); }
  else {
    show("home");
    drawJobs();
    if (name === "job") tell("This browser does not know that job. A job can be opened only in the browser that started it.");
    else if (!isFirst && name === "home") byId("main").focus({ preventScroll: true });
  }
  if (name !== "search") byId("query").value = "";
  isFirst = false;
}

function go(job) { location.hash = `#job=${encodeURIComponent(job.id)}`; }

// MARK: Search

function showSearch(query) {
  show("results", query);
  byId("query").value = query;
  byId("results-title").textContent = `“${query}”`;
  byId("results-title").focus({ preventScroll: true });
  const note = byId("results-note");
  note.textContent = "Searching…";
  note.className = "faint";
  const shelf = new Shelf(byId("results-shelf"), `Books for ${query}`, openBook);
  const asking = new AbortController();
  view = { close() { asking.abort(); shelf.close(); } };
  call(`/v1/search/title?q=${encodeURIComponent(query)}`, { signal: asking.signal }).then((data) => {
    const books = fromSearch(data);
    shelf.books = books;
    note.className = books.length > 0 ? "faint" : "empty";
    note.textContent = books.length > 0 ? count(books.length, "book")
      : "No book was found. Fewer words, the original title or an ISBN may help.";
  }).catch((failure) => {
    if (asking.signal.aborted) return;
    if (!(failure instanceof Failure)) throw failure;
    note.className = "notice";
    note.textContent = failure.message;
  });
}

byId("query").addEventListener("input", (event) => event.target.setCustomValidity(""));

byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const query = byId("query").value.trim();
  if (query.length < 2) {
    byId("query").setCustomValidity("Please enter at least two characters.");
    return byId("query").reportValidity();
  }
  const address = `#search=${encodeURIComponent(query)}`;
  if (location.hash === address) route(); else location.hash = address;
});

// MARK: Adding

/** Shows on the start page why nothing was added or found. */
function tell(text) {
  if (byId("home").hidden) {
    history.pushState(null, "", "#home");
    route();
  }
  byId("problem").textContent = text;
  byId("problem").hidden = false;
  byId("problem").scrollIntoView({ block: "nearest" });
  announce(text);
}

/** Starts one job at a time, so that dropping files twice or double-clicking adds them only once. */
async function adding(action) {
  if (isAdding) return tell("What you added before is still being sent. Please try again when it is done.");
  isAdding = true;
  byId("problem").hidden = true;
  document.body.classList.add("is-sending");
  try {
    go(await action());
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    tell(failure.message);
  } finally {
    isAdding = false;
    document.body.classList.remove("is-sending");
  }
}

/** Photos are scanned; any other file is treated as a library, and the preview reports if it is not one. */
function addFiles(files) {
  const photos = files.filter((one) => one.type.startsWith("image/") || /\.(jpe?g|png|webp|hei[cf])$/i.test(one.name));
  if (files.length === 0) return undefined;
  if (photos.length === files.length) return adding(() => addPhotos(photos));
  if (photos.length > 0) return tell("Please add photos and library files separately. Nothing was added.");
  if (files.length > 1) return tell(`Please add one library file at a time; you chose ${files.length}. Nothing was added.`);
  file = files[0];
  if (location.hash === "#preview") route(); else location.hash = "#preview";
  return undefined;
}

for (const id of ["file", "photos"]) {
  byId(id).addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    addFiles(files);
  });
}

byId("isbns").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isAdding) return;
  adding(async () => {
    const job = await addISBNs(byId("isbn-list").value);
    byId("isbn-list").value = "";
    byId("isbn-count").textContent = "One per line";
    return job;
  });
});

byId("isbn-list").addEventListener("input", (event) => {
  const { good, bad } = readISBNs(event.target.value);
  byId("isbn-count").textContent = good.length + bad.length === 0 ? "One per line"
    : count(good.length, "ISBN") + (bad.length > 0 ? `, ${count(bad.length, "invalid entry", "invalid entries")}` : "");
});

// MARK: Dropping

const hint = byId("drop-hint");
const carriesFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  hint.hidden = false;
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) hint.hidden = true; });
addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  hint.hidden = true;
  addFiles([...event.dataTransfer.files]);
});

// MARK: Jobs

function drawJobs() {
  const jobs = all();
  const ids = new Set(jobs.map((job) => job.id));
  for (const [id, card] of cards) if (!ids.has(id)) { card.close(); card.node.remove(); cards.delete(id); }
  const list = byId("jobs");
  jobs.forEach((job, place) => {
    if (!cards.has(job.id)) cards.set(job.id, new JobCard(job));
    const { node } = cards.get(job.id);
    if (list.children[place] !== node) list.insertBefore(node, list.children[place] || null);
  });
  byId("no-jobs").hidden = jobs.length > 0 || !isLasting();
  byId("unstored").hidden = isLasting();
}

onList(drawJobs);
addEventListener("hashchange", route);
drawJobs();
route();
byId("unloaded").remove();
