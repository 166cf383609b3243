extension DocsPage {
    /// Reads both documents and puts the page together.
    static let startScript = #"""
        async function read(path) {
          const answer = await fetch(path);
          if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
          return answer.json();
        }

        function showGroup(document_, tag) {
          const operations = Object.entries(document_.paths).flatMap(([path, methods]) =>
            Object.entries(methods).filter(([, operation]) => operation.tags.includes(tag.name))
              .map(([method, operation]) => showOperation(document_, path, method, operation)));
          return make("section", { id: slug(tag.name) }, make("h2", {}, tag.name), make("p", { class: "faint" }, tag.description),
            operations);
        }

        function filter() {
          const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
          for (const operation of document.querySelectorAll("details.operation")) {
            operation.hidden = !words.every((word) => operation.dataset.words.includes(word));
          }
        }

        async function start() {
          try {
            const [http, socket] = await Promise.all([read("/openapi.json"), read("/asyncapi.json")]);
            byId("version").textContent = http.info.version;
            byId("about").textContent = http.info.description.replaceAll("`", "");
            clear(byId("groups"), [...http.tags.map((tag) => tag.name), "Socket", "Messages"].map(
              (name) => make("a", { href: `#${slug(name)}` }, name)));
            byId("loading").remove();
            byId("content").append(...http.tags.map((tag) => showGroup(http, tag)), showSocket(), showMessages(socket));
            byId("filter").addEventListener("input", filter);
            byId("settings").addEventListener("submit", (event) => event.preventDefault());
            byId(location.hash.slice(1))?.scrollIntoView();
          } catch (error) {
            byId("loading").textContent = `The description cannot be read: ${error.message}. Please reload the page later.`;
          }
        }

        start();

        """#
}
