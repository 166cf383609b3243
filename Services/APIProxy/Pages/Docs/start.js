async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} returned status ${answer.status}`);
  return answer.json();
}

const isAlias = (operation) => /Alias\d+$/.test(operation.operationId);
const rank = (operation) => order.indexOf(operation.operationId);

/// A document's operations in catalog order; aliases are in a separate group at the end.
function groupsOf(document_) {
  const all = Object.entries(document_.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  all.sort((one, other) => rank(one.operation) - rank(other.operation));
  const groups = document_.tags.map((tag) => ({ ...tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name) && !isAlias(operation)) }));
  return [...groups, { name: "Aliases", description: "Other paths for the operations above, for older clients.",
    operations: all.filter(({ operation }) => isAlias(operation)) }];
}

function showGroup(document_, group) {
  return make("section", { id: slug(group.name) }, make("h2", {}, group.name),
    make("p", { class: "faint" }, ...prose(group.description)),
    group.operations.map(({ path, method, operation }) => showOperation(document_, path, method, operation)));
}

/// Hides operations and messages that do not contain the words, and groups that have become empty.
function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const section of byId("content").querySelectorAll("section")) {
    let left = 0;
    for (const entry of section.querySelectorAll("details.entry")) {
      entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
      if (!entry.hidden) left += 1;
    }
    section.hidden = words.length > 0 && left === 0;
    found += left;
  }
  byId("nothing").hidden = found > 0;
}

/// Opens the element that the address points to.
function openTarget() {
  const target = byId(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

async function start() {
  try {
    const [http, socket] = await Promise.all([read("/openapi.json"), read("/asyncapi.json")]);
    byId("version").textContent = http.info.version;
    byId("about").append(...prose(http.info.description));
    const groups = groupsOf(http);
    clear(byId("groups"), [...groups.map((group) => group.name), "Socket messages"].map(
      (name) => make("a", { href: `#${slug(name)}` }, name)));
    byId("loading").remove();
    byId("content").append(...groups.map((group) => showGroup(http, group)), showMessages(socket));
    byId("watchJob").after(showSocket());
    byId("filter").addEventListener("input", filter);
    byId("settings").addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", openTarget);
    openTarget();
  } catch (error) {
    byId("loading").textContent = `The description cannot be loaded: ${error.message}. Please reload the page later.`;
  }
}

start();
