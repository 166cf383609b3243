// A scan's photos with a numbered box around each book.
import { count, make } from "./dom.js";
import { chip, fill, panel } from "./parts.js";
import { framed } from "./photo.js";
import { get, open } from "./session.js";

const page = 200;
const states = { succeeded: "found", failed: "review", skipped: "review", queued: "review" };

export class Photos {
  #id; #place; #images = new Map(); #spines = []; #seen = null; #isOver = false;

  constructor(place, id) {
    this.#place = place;
    this.#id = encodeURIComponent(id);
  }

  /** Shows the photos; loads the boxes again if `version` has changed. */
  async refresh(photos, version) {
    if (version !== this.#seen) {
      const spines = [];
      for (let from = 0; from !== null && !this.#isOver;) {
        const { items, next } = await get(`/jobs/${this.#id}/items?limit=${page}&from=${from}`);
        spines.push(...items.filter((item) => item.spine));
        from = next ?? null;
      }
      [this.#spines, this.#seen] = [spines, version];
    }
    fill(this.#place, [photos, this.#spines], () => panel("Photos", make("div", { class: "shots" }, photos.map((photo) => this.#photo(photo)))));
  }

  close() {
    this.#isOver = true;
    for (const image of this.#images.values()) if (image.src) URL.revokeObjectURL(image.src);
  }

  #photo(photo) {
    const spines = this.#spines.filter(({ spine }) => spine.photo === photo.index);
    const found = spines.filter(({ state }) => state === "succeeded").length;
    return make("figure", {},
      framed(photo, this.#image(photo.index), spines.map(({ index, state, spine }) => ({ label: String(index + 1), state: states[state], box: spine.box }))).node,
      make("figcaption", {}, chip(photo.status, photo.error ? "bad" : photo.status === "complete" ? "good" : "live"),
        ` ${count(photo.booksFound ?? spines.length, "spine")}, ${found} found`,
        photo.engine ? `, read by ${photo.engine}` : false, photo.error ? make("span", { class: "faint" }, ` ${photo.error}`) : false));
  }

  /** One node for each photo, which is moved each time the view is drawn. */
  #image(index) {
    if (!this.#images.has(index)) {
      const image = make("img", { alt: `Photo ${index + 1} of the shelf`, hidden: true, load: () => { image.hidden = false; } });
      this.#images.set(index, image);
      this.#load(index, image);
    }
    return this.#images.get(index);
  }

  async #load(index, image) {
    try {
      const picture = URL.createObjectURL(await (await open(`/jobs/${this.#id}/photos/${index}`)).blob());
      if (this.#isOver) URL.revokeObjectURL(picture); else image.src = picture;
    } catch {
      // The boxes are enough without the image; the next change requests it again.
      this.#images.delete(index);
    }
  }
}
