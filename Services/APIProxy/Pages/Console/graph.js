// Small graphs over time.
import { now } from "./clock.js";
import { drawing, make } from "./dom.js";
import { short } from "./parts.js";

const [width, height] = [240, 56];
/** Room for half a dot, because the newest point may be drawn as a dot. */
const edge = 3;
const hour = 3600e3;

/**
 * A graph with its newest values in words. `lines` are `{ name, kind, value(point), unit }`; a value of null or undefined leaves a gap.
 * `period` is `{ length, name, hasDots }`, by default the last hour; with few points, dots are easier to see.
 */
export function graph(title, points, lines, period = { length: hour, name: "the last hour" }) {
  const values = lines.map((line) => points.map(line.value));
  const top = Math.max(...values.flat().filter((value) => value != null), 0);
  const newest = (place) => values[place].findLast((value) => value != null);
  const text = (line, place) => newest(place) == null ? "–" : `${short(newest(place))}${line.unit ?? ""}`;
  const label = `${title} in ${period.name}: ${lines.map((line, place) => `${line.name} ${text(line, place)}`).join(", ")}; highest ${short(top)}`;
  return make("figure", { class: "graph" },
    make("figcaption", {}, title),
    drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      drawing("path", { class: "ground", d: `M0 ${height - 0.5}H${width}` }),
      ...lines.flatMap((line, place) => (period.hasDots ? ["line", "dots"] : ["line"]).map((form) =>
        drawing("path", { class: `trace is-${line.kind} ${form}`, d: path(points, values[place], top, period.length, form === "line") })))),
    make("p", { class: "legend" },
      lines.map((line, place) => make("span", { class: `key is-${line.kind}` }, `${line.name} `, make("b", {}, text(line, place)))),
      make("span", { class: "faint" }, `highest ${short(top)}${lines[0].unit ?? ""}`)));
}

function path(points, values, top, length, isJoined) {
  let isDown = false;
  return values.map((value, place) => {
    if (value == null) { isDown = false; return ""; }
    const x = (width - edge) * (1 - Math.max(0, now() - points[place].at) / length);
    const y = height - 2 - ((height - 6) * value) / (top || 1);
    // Without its own step, the first point of a line would not be drawn until there is a second one.
    const step = isDown && isJoined ? `L${x.toFixed(1)} ${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}h.1`;
    isDown = true;
    return step;
  }).join("");
}
