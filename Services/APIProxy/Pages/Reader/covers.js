// Loads covers through the API for the books on the screen, a few at a time and no faster than the API allows. Requests for covers and searches share a
// limit, so covers use only a part of it.
import { whenVisible } from "./dom.js";

const atOnce = 4;
const kept = 300;
/** The part of a limit that is left for the reader's other requests. */
const reserved = 1 / 5;
/** A reset time more than this many seconds in the past comes from the browser's cache. */
const age = 5;
/** Image addresses by cover, least recently used first; null for a cover that does not exist. */
const pictures = new Map();
const queue = new Map();
/** Stands for a cover whose host fails at the moment. It is requested again when it is next drawn, so the other covers need not wait for it. */
const failed = Symbol("failed");
let running = 0;
let resting = false;
/** How many more covers the limit has room for, according to the last response. */
let room = atOnce;

/** Loads a cover into `image`, unless the returned function is called first. */
export function load(address, image) {
  const known = pictures.get(address);
  if (known !== undefined) {
    pictures.delete(address);
    pictures.set(address, known);
    show(image, known);
    return () => {};
  }
  const waiting = queue.get(address) || new Set();
  waiting.add(image);
  queue.set(address, waiting);
  next();
  return () => {
    waiting.delete(image);
    if (waiting.size === 0 && queue.get(address) === waiting && !waiting.loading) queue.delete(address);
  };
}

function show(image, picture) {
  if (!picture) return;
  image.addEventListener("load", () => { image.hidden = false; }, { once: true });
  image.src = picture;
}

function next() {
  if (resting || running >= Math.min(atOnce, room)) return;
  if (document.hidden) {
    resting = true;
    return whenVisible(wake);
  }
  for (const [address, waiting] of queue) {
    if (waiting.loading) continue;
    waiting.loading = true;
    running += 1;
    fetchCover(address).then((picture) => {
      if (picture === undefined && waiting.size > 0) { waiting.loading = false; return; }
      queue.delete(address);
      if (picture === undefined || picture === failed) return;
      keep(address, picture);
      for (const image of waiting) show(image, picture);
    }).finally(() => { running -= 1; next(); });
    if (running >= Math.min(atOnce, room)) return;
  }
}

/** The image's address, null if there is none, undefined if it has to be requested again after a pause, or `failed`. */
async function fetchCover(address) {
  try {
    const answer = await fetch(`/images/proxy?size=medium&url=${encodeURIComponent(address)}`);
    respect(answer.headers);
    if (answer.ok) {
      const picture = await answer.blob();
      return picture.type.startsWith("image/") ? URL.createObjectURL(picture) : null;
    }
    if (answer.status < 500 && answer.status !== 429) return null;
    if (answer.status >= 500 && answer.status !== 503) return failed;
    rest(Number(answer.headers.get("Retry-After")) || 5);
  } catch {
    rest(5);
  }
  return undefined;
}

/** Adopts the limit that a response reports (http-api.md "Rate limits"), and rests until the reset if too little remains. */
function respect(fields) {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => Number(fields.get(`X-RateLimit-${name}`)));
  const seconds = reset - Date.now() / 1000;
  if (!limit || seconds < -age) return;
  room = remaining - limit * reserved;
  if (room < 1) rest(Math.max(seconds, 1));
}

function rest(seconds) {
  if (resting) return;
  resting = true;
  setTimeout(wake, Math.min(seconds, 120) * 1000);
}

/** At the reset, the limit has room for at least one more request; the response to it reports how many. */
function wake() {
  resting = false;
  room = Math.max(room, 1);
  next();
}

function keep(address, picture) {
  pictures.set(address, picture);
  for (const [old, unused] of pictures) {
    if (pictures.size <= kept) break;
    pictures.delete(old);
    if (unused) URL.revokeObjectURL(unused);
  }
}
