// The pages of a list, and the buttons that lead from one to the next.
import { make } from "./dom.js";

export class Pages {
  #starts; #moved;

  /** `moved` is called with where the pages begin, after each move; `starts` are those of the pages up to the current one, without the first. */
  constructor(moved, starts = []) {
    this.#moved = moved;
    this.#starts = starts;
  }

  /** Where the current page begins; undefined for the first one. */
  get start() { return this.#starts.at(-1); }

  /** Returns to the first page, without a move. */
  reset() { this.#starts = []; }

  /** Buttons to the pages around the current one. `next` is where the following page begins, if there is one; `names` are identifiers and texts. */
  buttons(next, names = { newer: "Newer", older: "Older" }) {
    const [back, further] = Object.entries(names);
    const button = ([id, text], isPossible, click) => make("button", { type: "button", id, class: "plain", disabled: !isPossible, click }, text);
    return make("p", { class: "line pager" },
      button(back, this.#starts.length > 0, () => this.#back()), button(further, next != null, () => this.further(next)));
  }

  /** The second click of two finds the list as it was: it leads to the same page. */
  further(next) {
    if (next === this.start) return;
    this.#starts.push(next);
    this.#moved(this.#starts);
  }

  #back() {
    this.#starts.pop();
    this.#moved(this.#starts);
  }
}

/** Pages that are part of the address of a view, so that a reload, a link and the way back lead to the same one. */
export const pagesInAddress = (view, query, moved) => new Pages((starts) => {
  const wanted = new URLSearchParams([...query].filter(([name]) => name !== "page"));
  for (const start of starts) wanted.append("page", start);
  history.pushState(null, "", `#${view}${wanted.size ? `?${wanted}` : ""}`);
  moved();
}, query.getAll("page"));
