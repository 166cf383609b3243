// The time by the clock of the services, so that ages, graphs and filters are right whatever the viewer's clock says.

/** A smaller difference is that of an answer's way, and of `Date`, which has whole seconds. */
const tolerance = 2000;
/** Milliseconds by which the viewer's clock is behind. */
let lag = 0;

/** Learns the time from an answer. */
export function setClock(answer) {
  const found = Date.parse(answer.headers.get("Date")) - Date.now();
  if (Number.isFinite(found)) lag = Math.abs(found) > tolerance ? found : 0;
}

/** Milliseconds since 1970. */
export const now = () => Date.now() + lag;

/** Changes once a minute, so that relative times stay right. */
export const minute = () => Math.floor(now() / 60e3);
