// A photo with a numbered box around each spine; shared by the page for readers and the console.
import { drawing, make } from "./dom.js";

/**
 * A photo in its frame. `spines` are `{ label, state, box }`, where `box` is in fractions of the photo's width and height. Returns the node and
 * `mark(place, isMarked)`, which highlights the box that belongs to a book.
 */
export function framed(photo, image, spines) {
  const [width, height] = [photo.width || 1000, photo.height || 1000];
  const boxes = drawing("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...spines.map((spine) => box(spine, width, height)));
  return { node: make("div", { class: "frame" }, image, boxes), mark: (place, isMarked) => boxes.children[place]?.classList.toggle("is-marked", isMarked) };
}

function box({ label, state, box: { x, y, width: wide, height: high } }, width, height) {
  const size = Math.max(14, Math.min(width, height) / 22);
  return drawing("g", { class: `box is-${state}` },
    drawing("rect", { x: x * width, y: y * height, width: wide * width, height: high * height, rx: size / 5 }),
    drawing("circle", { cx: (x + wide / 2) * width, cy: y * height + size, r: size * 0.8 }),
    drawing("text", { x: (x + wide / 2) * width, y: y * height + size * 1.36, "font-size": size, "text-anchor": "middle" }, label));
}
