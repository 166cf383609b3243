// Turns photos and lists of ISBNs into jobs.
import { call, Failure } from "./api.js";
import { count } from "./dom.js";
import { start } from "./jobs.js";

const photosAtOnce = 5;
/** Lists up to this length are remembered until their job ends, so that they are shown immediately after a reload. */
const longestRemembered = 5000;

/** Starts a scan. Throws `Failure`. */
export async function addPhotos(files) {
  if (files.length > photosAtOnce) throw new Failure(`Please choose at most ${photosAtOnce} photos at a time; you chose ${files.length}.`);
  const form = new FormData();
  for (const file of files) form.append("photos", file, file.name);
  const started = await call("/v1/scan/batch", { method: "POST", body: form });
  const name = files.length === 1 ? files[0].name : count(files.length, "photo");
  return start({ id: started.jobId, token: started.token, kind: "photos", name, photos: files.length });
}

/** The ISBNs in a text, without duplicates, and the entries that are not ISBNs. */
export function readISBNs(text) {
  const entries = text.split(/[\n,;\t]+/).map((entry) => entry.replace(/^isbn(?:-1[03])?:?/i, "").trim()).filter(Boolean);
  const good = new Set(), bad = [];
  for (const entry of entries) {
    const digits = entry.replace(/[\s‐-―-]/g, "").toUpperCase();
    if (isISBN(digits)) good.add(digits); else bad.push(entry);
  }
  return { good: [...good], bad };
}

function isISBN(text) {
  if (/^97[89]\d{10}$/.test(text)) return sum(text, (place) => place % 2 ? 3 : 1) % 10 === 0;
  return /^\d{9}[\dX]$/.test(text) && sum(text, (place) => 10 - place) % 11 === 0;
}

const sum = (text, weight) =>
  [...text].reduce((total, letter, place) => total + weight(place) * (letter === "X" ? 10 : Number(letter)), 0);

/** Starts an enrichment. Throws `Failure`. */
export async function addISBNs(text) {
  const { good, bad } = readISBNs(text);
  if (good.length === 0) throw new Failure(bad.length > 0 ? `“${bad[0].slice(0, 40)}” is not an ISBN. An ISBN has 10 or 13 digits, of which the last is a check digit.` : "Please enter an ISBN.");
  const started = await call("/v1/enrichment/batch", { method: "POST", body: { isbns: good } });
  return start({ id: started.jobId, token: started.token, kind: "list", name: count(good.length, "ISBN"), total: good.length,
    asked: good.length <= longestRemembered ? good : undefined });
}
