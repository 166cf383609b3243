// Building blocks. Data becomes only text nodes and attributes, never markup.

export const byId = (id) => document.getElementById(id);

/** An element. Functions among the attributes are listeners; attributes that are false, null or undefined are omitted. */
export function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  set(node, attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** Texts and nodes separated by commas; missing ones are omitted. */
export const listed = (...parts) => parts.filter(Boolean).flatMap((part, place) => place > 0 ? [", ", part] : [part]);

const svgNamespace = "http://www.w3.org/2000/svg";

export function drawing(tag, attributes, ...children) {
  const node = document.createElementNS(svgNamespace, tag);
  set(node, attributes);
  node.append(...children);
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
}

/** Announces a sentence to screen readers without moving the focus. */
export function announce(text) { byId("announcer").textContent = text; }

export const number = (value) => Number(value || 0).toLocaleString("en");

/** "1 book", "2,000 books". */
export const count = (value, noun, plural = `${noun}s`) => `${number(value)} ${value === 1 ? noun : plural}`;

const units = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** "2 hours ago". */
export function ago(time, now = Date.now()) {
  const seconds = Math.max(0, (now - time) / 1000);
  const found = units.find(([, length]) => seconds >= length);
  return found ? `${count(Math.floor(seconds / found[1]), found[0])} ago` : "just now";
}

/** "40 seconds", "2 minutes", "60 minutes": rounded up. */
export function duration(seconds) {
  const [noun, length] = units.find(([, size]) => seconds >= 2 * size) || ["second", 1];
  return count(Math.ceil(seconds / length), noun);
}

/** "1965", "720 BCE". */
export const yearName = (year) => Number(year) < 0 ? `${-Number(year)} BCE` : year;

const languages = typeof Intl.DisplayNames === "function" ? new Intl.DisplayNames(["en"], { type: "language", fallback: "code" }) : null;

/** "English" for "en"; an invalid code is returned unchanged. */
export function languageName(code) {
  try { return languages?.of(code) ?? code; } catch { return code; }
}

/** Calls back once when the tab becomes visible, or immediately if it is visible. */
export function whenVisible(action) {
  if (!document.hidden) return void action();
  const listener = () => {
    if (document.hidden) return;
    document.removeEventListener("visibilitychange", listener);
    action();
  };
  document.addEventListener("visibilitychange", listener);
}

/** Waits for the given time, and then until the tab is visible. */
export const pause = (milliseconds) =>
  new Promise((resolve) => setTimeout(() => whenVisible(resolve), milliseconds));
