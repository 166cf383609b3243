// The time according to the services' clock, so that ages, graphs and filters are correct even if the viewer's clock is wrong.

/** A smaller difference can be due to network latency and to `Date`, which has whole seconds. */
const tolerance = 2000;
/** Milliseconds by which the viewer's clock is behind. */
let lag = 0;

/** Reads the time from a response. */
export function setClock(answer) {
  const found = Date.parse(answer.headers.get("Date")) - Date.now();
  if (Number.isFinite(found)) lag = Math.abs(found) > tolerance ? found : 0;
}

/** Milliseconds since 1970. */
export const now = () => Date.now() + lag;

/** Changes once a minute, so that relative times stay correct. */
export const minute = () => Math.floor(now() / 60e3);
