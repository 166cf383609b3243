"use strict";
const byId = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

function clear(node, ...children) {
  node.replaceChildren(...children.flat().filter(Boolean));
  return node;
}

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/// Text in which parts between backticks are code.
const prose = (text) => String(text).split("`").map((part, place) => place % 2 ? make("code", {}, part) : part);

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select the line to copy it";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
}
