// Sums over the rollups of days: what enrichment was worth, and what each provider gave.

/** The targets of the API contract, in the order in which they are shown. */
export const measures = [
  { name: "ISBNs with a book", short: "match", target: 95, unit: "%", base: "ISBN", value: (counts) => share(counts.isbnsFound, counts.isbns), of: (counts) => counts.isbns },
  { name: "Books with a cover", short: "cover", target: 80, unit: "%", base: "book", value: (counts) => share(counts.covers, counts.found), of: (counts) => counts.found },
  { name: "Authors with known background", short: "authors", target: 70, unit: "%", base: "author", value: (counts) => share(counts.knownAuthors, counts.authors), of: (counts) => counts.authors },
  { name: "Mean quality", short: "quality", target: 60, unit: "", base: "book", value: (counts) => counts.found ? counts.quality / counts.found : null, of: (counts) => counts.found },
];

/** Names of the fields of a book, in their order. */
export const fields = { title: "title", authors: "authors", cover: "cover", description: "description", subjects: "subjects", publisher: "publisher",
  publicationDate: "date", pageCount: "pages", language: "language" };

/** A part in percent; null of nothing. */
export const share = (part, whole) => (whole ? 100 * part / whole : null);

/** "84%", "–". */
export const percent = (value) => (value == null ? "–" : `${Math.round(value)}%`);

/** A measure of these counts: "84.3%", "–". */
export const measured = (measure, counts) => {
  const value = measure.value(counts);
  return value == null ? "–" : `${value.toFixed(1)}${measure.unit}`;
};

/** The sum of each member of objects with numbers. */
export function sum(all) {
  const total = {};
  for (const one of all) for (const [name, value] of Object.entries(one)) total[name] = (total[name] ?? 0) + value;
  return total;
}

/** The names of the providers that these days have. */
export const providerNames = (days) => [...new Set(days.flatMap((day) => day.providers.map(({ provider }) => provider)))];

/** What each provider gave on all days: `{ provider, asked, answered, used: { FIELD: results } }`. */
export function providerSums(days) {
  const all = days.flatMap((day) => day.providers);
  return providerNames(days).map((provider) => {
    const own = all.filter((one) => one.provider === provider);
    return { provider, ...sum(own.map(({ asked, answered }) => ({ asked, answered }))), used: sum(own.map(({ used }) => used)) };
  });
}

/** The fields that a provider gave: `{ text, share }`, in percent of its answers. */
export const usedFields = ({ answered, used }) => Object.entries(fields).filter(([field]) => used[field])
  .map(([field, text]) => ({ text, share: share(used[field], answered) }));

/** The share of a provider's answers of which at least something was used: that of the field that was used most. */
export const usedShare = ({ answered, used }) => share(Math.max(0, ...Object.values(used)), answered);
