extension DocsPage {
    /// Opens a progress socket, logs its frames, and sends messages.
    static let socketScript = #"""
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
          const log = make("ol", { id: "log", role: "log", tabindex: "0", "aria-label": "Frames" });
          const since = make("input", { inputmode: "numeric", autocomplete: "off", placeholder: "seq" });
          const message = make("textarea", { spellcheck: "false" }, '{"type":"ready"}');
          const connect = make("button", { type: "submit" }, "Connect");
          const sender = make("button", { type: "button", class: "plain", disabled: true }, "Send message");

          function note(kind, text) {
            const time = new Date().toISOString().slice(11, 23);
            log.append(make("li", {}, make("span", { class: "faint" }, `${time} ${kind} `), make("pre", {}, pretty(text))));
            while (log.childElementCount > longestLog) log.firstElementChild.remove();
            log.scrollTop = log.scrollHeight;
          }

          function say(text) {
            socket.send(text);
            note("→", text);
          }

          function open() {
            socket = new WebSocket(socketAddress(byId("job").value, byId("token").value, since.value));
            connect.textContent = "Disconnect";
            socket.onopen = () => { sender.disabled = false; note("•", "open"); say('{"type":"ready"}'); };
            socket.onmessage = (event) => {
              note("←", event.data);
              try { since.value = JSON.parse(event.data).seq ?? since.value; } catch { /* shown as it is */ }
            };
            socket.onclose = (event) => {
              note("•", event.code === 1006 ? "closed without a reason: is the token right?"
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
            make("label", {}, "since (to continue after this event)", since), connect,
            make("button", { type: "button", class: "plain", click: () => clear(log) }, "Clear"),
            make("label", { class: "wide" }, "Message", message), sender, quick);
          return make("section", { id: "socket" }, make("h2", {}, "Try the progress socket"),
            make("p", { class: "faint" }, "Uses the job and token from the top of the page."), form, log);
        }

        function showMessages(document_) {
          const channel = Object.values(document_.channels)[0];
          const sections = Object.values(document_.operations).map((operation) => [
            make("h3", {}, operation.summary),
            operation.messages.map((reference) => {
              const message = follow(document_, channel.messages[nameOf(reference.$ref)].$ref);
              return make("details", {}, make("summary", {}, make("code", {}, message.name), " ", ...prose(message.summary)),
                showSchema(document_, message.payload));
            }),
          ]);
          return make("section", { id: "messages" }, make("h2", {}, "Messages of the progress socket"),
            make("p", {}, ...prose(document_.info.description)), sections.flat(2));
        }

        """#
}
