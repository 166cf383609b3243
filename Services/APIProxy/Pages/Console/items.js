// A job's books: what was requested, what was found, and why something was not found.
import { make, number } from "./dom.js";
import { Pages } from "./pages.js";
import { bookTexts, chip, fill, menu, panel, table, until } from "./parts.js";
import { get, reason } from "./session.js";

const states = ["queued", "succeeded", "failed", "skipped"];

export class ItemList {
  #place; #path; #list = make("div", {}); #state = ""; #pages = new Pages(() => this.#move());
  /** The number of the newest request; only its response is shown. */
  #asked = 0;
  /** The job version that is shown. */
  #seen = null;
  #isImport = false;

  constructor(place, id) {
    [this.#place, this.#path] = [place, `/jobs/${encodeURIComponent(id)}/items`];
    place.hidden = true;
    place.replaceChildren(panel("Books", menu("item-state", "Show", [["", "all"], ...states.map((name) => [name, name])], "", (event) => {
      this.#state = event.target.value;
      this.#pages.reset();
      this.#move();
    }), this.#list));
  }

  /** Loads the books again if `version` has changed. */
  async refresh(version, isImport) {
    this.#isImport = isImport;
    if (version === this.#seen) return;
    if (await this.#load()) this.#seen = version;
  }

  /** Shows other books. If they cannot be loaded, the list reports this instead of showing the previous books; the next refresh tries again. */
  async #move() {
    try {
      await this.#load();
    } catch (error) {
      this.#seen = null;
      delete this.#list.dataset.key;
      this.#list.replaceChildren(make("p", { class: "notice", role: "alert" }, reason(error)));
    }
  }

  /** Loads the page of books and shows it, unless a newer request has been sent in the meantime; resolves to whether it was shown. */
  async #load() {
    const [state, start] = [this.#state, this.#pages.start ?? 0];
    const number = ++this.#asked;
    let page;
    try {
      page = await get(`${this.#path}?${new URLSearchParams({ from: start, ...(state ? { state } : {}) })}`);
    } catch (error) {
      if (number === this.#asked) throw error;
    }
    if (number !== this.#asked) return false;
    // An import's books are items of the job that looks them up.
    this.#place.hidden = this.#isImport && !state && page.items.length === 0;
    fill(this.#list, [page, state, start], () => [
      table("Books in the job", [["#", "num"], "Asked", "State", "Found", "Providers", ["Retries", "num"], "Why"], page.items.map(row),
        state ? "No matching books." : "No books yet."),
      this.#pages.buttons(page.next, { "items-back": "Back", "items-more": "More" })]);
    return true;
  }
}

const orDash = (parts) => parts.length ? parts : "–";

const row = (item) => [
  number(item.index + 1), orDash(bookTexts([item.title, item.author, item.isbn, item.workId], " · ")), chip(item.state),
  orDash([item.found ? make("bdi", {}, item.found) : false, item.matchedBy ? make("span", { class: "faint" }, ` by ${item.matchedBy}`) : false,
    item.candidates?.length ? make("span", { class: "faint" }, " possible matches: ", bookTexts(item.candidates, "; ")) : false].filter(Boolean)),
  item.providers?.join(", ") ?? "–", `${number(item.attempts)}${item.retryRound ? ` + ${item.retryRound}` : ""}`,
  item.errorCode ? [make("code", {}, item.errorCode), " ", item.error ?? "", item.retryAt ? make("span", { class: "faint" }, ` retry ${until(item.retryAt)}`) : ""] : "–"];
