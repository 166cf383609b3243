// Totals over the daily rollups: the quality of enrichment, and what each provider contributed.

/** The API contract's targets, in display order. */
export const measures = [
  { name: "ISBNs with a book", short: "match", target: 95, unit: "%", base: "ISBN", value: (counts) => share(counts.isbnsFound, counts.isbns), of: (counts) => counts.isbns },
  { name: "Books with a cover", short: "cover", target: 80, unit: "%", base: "book", value: (counts) => share(counts.covers, counts.found), of: (counts) => counts.found },
  { name: "Authors with a known background", short: "authors", target: 70, unit: "%", base: "author", value: (counts) => share(counts.knownAuthors, counts.authors), of: (counts) => counts.authors },
  { name: "Mean quality", short: "quality", target: 60, unit: "", base: "book", value: (counts) => counts.found ? counts.quality / counts.found : null, of: (counts) => counts.found },
];

/** The names of a book's fields, in display order. */
export const fields = { title: "title", authors: "authors", cover: "cover", description: "description", subjects: "subjects", publisher: "publisher",
  publicationDate: "date", pageCount: "pages", language: "language" };

/** A percentage; null if the total is zero. */
export const share = (part, whole) => (whole ? 100 * part / whole : null);

/** "84%", "–". */
export const percent = (value) => (value == null ? "–" : `${Math.round(value)}%`);

/** The value of a measure for these counts: "84.3%", "–". */
export const measured = (measure, counts) => {
  const value = measure.value(counts);
  return value == null ? "–" : `${value.toFixed(1)}${measure.unit}`;
};

/** Adds up objects with numeric members, member by member. */
export function sum(all) {
  const total = {};
  for (const one of all) for (const [name, value] of Object.entries(one)) total[name] = (total[name] ?? 0) + value;
  return total;
}

/** The names of the providers on these days. */
export const providerNames = (days) => [...new Set(days.flatMap((day) => day.providers.map(({ provider }) => provider)))];

/** What each provider contributed on all days: `{ provider, asked, answered, used: { FIELD: results } }`. */
export function providerSums(days) {
  const all = days.flatMap((day) => day.providers);
  return providerNames(days).map((provider) => {
    const own = all.filter((one) => one.provider === provider);
    return { provider, ...sum(own.map(({ asked, answered }) => ({ asked, answered }))), used: sum(own.map(({ used }) => used)) };
  });
}

/** The fields that a provider contributed: `{ text, share }`, in percent of its responses. */
export const usedFields = ({ answered, used }) => Object.entries(fields).filter(([field]) => used[field])
  .map(([field, text]) => ({ text, share: share(used[field], answered) }));

/** The share of a provider's responses that were used at all, estimated as the share of its most used field. */
export const usedShare = ({ answered, used }) => share(Math.max(0, ...Object.values(used)), answered);
