// A list's pages, and the buttons for moving between them.
import { make } from "./dom.js";

export class Pages {
  #starts; #moved;

  /** `starts` are the starts of the pages after the first one, up to the current page. After each move, `moved` is called with the new starts. */
  constructor(moved, starts = []) {
    this.#moved = moved;
    this.#starts = starts;
  }

  /** The start of the current page; undefined for the first one. */
  get start() { return this.#starts.at(-1); }

  /** Returns to the first page without calling `moved`. */
  reset() { this.#starts = []; }

  /** Buttons for the previous and the next page. `next` is the start of the next page, if there is one; `names` are identifiers and texts. */
  buttons(next, names = { newer: "Newer", older: "Older" }) {
    const [back, further] = Object.entries(names);
    const earlier = this.#starts.slice(0, -1);
    const button = ([id, text], isPossible, click) => make("button", { type: "button", id, class: "plain", disabled: !isPossible, click }, text);
    return make("p", { class: "line pager" },
      button(back, this.#starts.length > 0, () => this.#back(earlier)), button(further, next != null, () => this.further(next)));
  }

  // The second click of a double click sees the same list, so it leads to the same page.

  further(next) { if (next !== this.start) this.#go([...this.#starts, next]); }

  #back(earlier) { if (this.#starts.length > earlier.length) this.#go(earlier); }

  #go(starts) {
    this.#starts = starts;
    this.#moved(starts);
  }
}

/** Pages that are part of a view's address, so that reloading, following a link or going back leads to the same page. */
export const pagesInAddress = (view, query, moved) => new Pages((starts) => {
  const wanted = new URLSearchParams([...query].filter(([name]) => name !== "page"));
  for (const start of starts) wanted.append("page", start);
  history.pushState(null, "", `#${view}${wanted.size ? `?${wanted}` : ""}`);
  moved();
}, query.getAll("page"));
