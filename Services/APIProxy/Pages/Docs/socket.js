const longestLog = 500;

function socketAddress(job, token, since) {
  const address = new URL("/ws/progress", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("jobId", job);
  if (token) address.searchParams.set("token", token);
  if (since) address.searchParams.set("since", since);
  return address;
}

function showSocket() {
  let socket = null;
  let watched = "";
  const log = make("ol", { id: "log", role: "log", tabindex: "0", "aria-label": "Frames" });
  const since = make("input", { name: "since", inputmode: "numeric", autocomplete: "off", placeholder: "seq" });
  const message = make("textarea", { name: "message", spellcheck: "false", rows: 2 }, '{"type":"ready"}');
  const connect = make("button", { type: "submit" }, "Connect");
  const sender = make("button", { type: "button", class: "plain", disabled: true }, "Send message");

  /// One line per event, which expands to the frame's content.
  function note(kind, text) {
    const time = make("span", { class: "faint" }, new Date().toISOString().slice(11, 23));
    const line = [time, ` ${kind} `, ...headline(text)];
    log.append(make("li", {}, kind === "•" ? line
      : make("details", {}, make("summary", {}, line), make("pre", {}, pretty(text)))));
    while (log.childElementCount > longestLog) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }

  function say(text) {
    socket.send(text);
    note("→", text);
  }

  function open() {
    // An event number is only valid for its own job.
    if (watched !== byId("job").value) since.value = "";
    watched = byId("job").value;
    socket = new WebSocket(socketAddress(byId("job").value, byId("token").value, since.value));
    connect.textContent = "Disconnect";
    socket.onopen = () => { sender.disabled = false; note("•", "open"); say('{"type":"ready"}'); };
    socket.onmessage = (event) => {
      note("←", event.data);
      try { since.value = JSON.parse(event.data).seq ?? since.value; } catch { /* shown as it is */ }
    };
    socket.onclose = (event) => {
      note("•", event.code === 1006 ? "closed without a reason: is the token correct?"
        : `closed with ${event.code} ${event.reason}`);
      socket = null;
      sender.disabled = true;
      connect.textContent = "Connect";
    };
  }

  sender.addEventListener("click", () => say(message.value));
  const quick = ["ready", "ping", "sync_request", "cancel"].map((type) => make("button", { type: "button", class: "plain",
    click: () => { message.value = JSON.stringify({ type }); } }, type));
  const form = make("form", {
    submit: (event) => {
      event.preventDefault();
      if (socket) socket.close(1000); else open();
    } },
    make("label", {}, "since: continue after the last event seen", since), connect,
    make("button", { type: "button", class: "plain", click: () => clear(log) }, "Clear"),
    make("label", { class: "wide" }, "Message", message), sender, quick);
  return make("div", { id: "socket" }, make("h3", {}, "Try it"),
    make("p", { class: "faint" }, ...prose("Uses the job and token from the top of the page, and sends `ready` when the connection is open.")),
    form, log);
}

/// A frame on one line.
function headline(text) {
  try {
    const { type, action, seq, data, payload = data || {} } = JSON.parse(text);
    const { processedCount = payload.successCount, totalCount = payload.totalProcessed } = payload;
    const count = totalCount === undefined ? null : `${processedCount} of ${totalCount}`;
    const number = seq === undefined ? null : `#${seq}`;
    const parts = [number, count, payload.status, payload.message].filter((part) => typeof part === "string");
    return [make("code", {}, type || action), " ", parts.join(" · ")];
  } catch {
    return [text];
  }
}

function showMessages(document_) {
  const shown = new Set();
  // A message that several sockets share is shown once, with the first of them.
  const isNew = (address) => !shown.has(address) && shown.add(address);
  const operations = Object.values(document_.operations).sort(
    (one, other) => other.channel.$ref.localeCompare(one.channel.$ref));
  const sections = operations.map((operation) => [
    make("h3", {}, operation.summary),
    operation.messages.map((reference) => follow(document_, reference.$ref).$ref).filter(isNew).map((address) => {
      const message = follow(document_, address);
      return make("details", { class: "entry", "data-words": `${message.name} ${message.summary}`.toLowerCase() },
        make("summary", {}, make("code", {}, message.name.replace("client_", "")), " ", ...prose(message.summary)),
        showSchema(document_, message.payload));
    }),
  ]);
  return make("section", { id: "socket-messages" }, make("h2", {}, "Socket messages"),
    make("p", { class: "faint" }, ...prose(document_.info.description)), sections.flat(2));
}
