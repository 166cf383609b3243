const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlLine(request) {
  const parts = ["curl", "-i"];
  if (request.method !== "GET") parts.push("-X", request.method);
  parts.push(quote(request.url));
  for (const [name, value] of Object.entries(request.headers)) parts.push("-H", quote(`${name}: ${value}`));
  if (request.body instanceof FormData) {
    for (const [name, value] of request.body) parts.push("-F", quote(`${name}=${value instanceof File ? `@${value.name}` : value}`));
  } else if (request.body) parts.push("--data-binary", quote(request.body));
  return parts.join(" ");
}

function parameterField(parameter) {
  const schema = parameter.schema;
  const label = parameter.name + (parameter.required ? " (required)" : "");
  const attributes = { name: parameter.name, "data-in": parameter.in, autocomplete: "off", spellcheck: "false" };
  const choices = schema.enum || (schema.type === "boolean" && ["true", "false"]);
  const field = choices
    ? make("select", attributes, make("option", { value: "" }, "–"),
        choices.map((text) => make("option", { value: text }, text)))
    : make("input", { ...attributes, value: parameter.example,
        type: parameter.name === "token" ? "password" : "text",
        inputmode: schema.type === "integer" ? "numeric" : null });
  return make("label", {}, label, field, make("span", { class: "faint" }, ...prose(parameter.description)));
}

/// An input field for one part of a form.
function partField(name, schema, isRequired) {
  const attributes = { name, "data-part": "form", autocomplete: "off", spellcheck: "false" };
  const field = schema.format === "binary" ? make("input", { ...attributes, type: "file" })
    : schema.enum ? make("select", attributes, make("option", { value: "" }, "–"),
        schema.enum.map((text) => make("option", { value: text }, text)))
    : make("input", { ...attributes, type: "text" });
  return make("label", {}, name + (isRequired ? " (required)" : ""), field,
    make("span", { class: "faint" }, ...prose(schema.description || "")));
}

/// The completed form; if no file is chosen, the curl line contains a placeholder.
function partsOf(form) {
  const parts = new FormData();
  for (const field of form.querySelectorAll("[data-part]")) {
    if (field.type === "file") parts.append(field.name, field.files[0] || new File([], "FILE"));
    else if (field.value) parts.append(field.name, field.value);
  }
  return parts;
}

function requestOf(path, method, operation, form) {
  let target = path;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value || (field.name === "jobId" ? byId("job").value : "");
    if (field.dataset.in === "path") target = target.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value) query.append(field.name, value);
  }
  const headers = {};
  const token = byId("token").value;
  if (operation.security && token) headers.Authorization = `Bearer ${token}`;
  const isForm = form.querySelector("[data-part]") !== null;
  const body = isForm ? partsOf(form) : form.querySelector("textarea")?.value.trim() || null;
  if (body && !isForm) headers["Content-Type"] = "application/json";
  const text = query.toString();
  return { method, url: location.origin + target + (text ? `?${text}` : ""), headers, body };
}

/// Shows the response in `output`, unless a newer request has been sent from the same form in the meantime.
async function send(request, output) {
  const isNewest = () => output.request === request;
  output.request = request;
  clear(output, make("p", {}, "Waiting…"));
  const start = performance.now();
  try {
    const { url, ...options } = request;
    const answer = await fetch(url, options);
    const isImage = (answer.headers.get("Content-Type") || "").startsWith("image/");
    const milliseconds = Math.round(performance.now() - start);
    const fields = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const content = isImage ? await answer.blob() : await answer.text();
    if (!isNewest()) return;
    clear(output,
      make("p", { class: answer.ok ? "good" : "bad" }, `${answer.status} ${answer.statusText} in ${milliseconds} ms`),
      make("details", {}, make("summary", {}, "Header fields"), make("pre", {}, fields)),
      isImage ? pictureOf(content) : textOf(content));
  } catch (error) {
    if (isNewest()) clear(output, make("p", { class: "bad" }, `No response: ${error.message}`));
  }
}

function pictureOf(blob) {
  const address = URL.createObjectURL(blob);
  return make("img", { class: "answer", alt: "The image of the response", src: address,
    load: () => URL.revokeObjectURL(address) });
}

function textOf(text) {
  rememberJob(text);
  return make("pre", { tabindex: "0" }, pretty(text));
}

/// Copies a started job's id and token to the fields at the top, so that the next request can use them.
function rememberJob(text) {
  try {
    const value = JSON.parse(text);
    const job = value.data || value;
    if (!job.jobId || !job.token) return;
    byId("job").value = job.jobId;
    byId("token").value = job.token;
    byId("settings").dispatchEvent(new Event("input"));
  } catch { /* not JSON */ }
}

function showAnswers(document_, responses) {
  return Object.entries(responses).map(([status, answer]) => {
    const content = Object.entries(answer.content || {})[0];
    return make("details", {},
      make("summary", {}, make("strong", { class: status < "400" ? "good" : "bad" }, status), " ", ...prose(answer.description)),
      content ? make("p", { class: "faint" }, Object.keys(answer.content).join(", ")) : "",
      content ? showSchema(document_, content[1].schema) : "");
  });
}

/// The fields of an upload form. The operation's query parameters are for a body that is the file itself, so they are not shown.
function formFields(document_, schema) {
  const shape = schema.$ref ? follow(document_, schema.$ref) : schema;
  const required = new Set(shape.required || []);
  return Object.entries(shape.properties).map(([name, part]) => partField(name, part, required.has(name)));
}

function showRequestForm(document_, path, method, operation) {
  const output = make("div", { "aria-live": "polite" });
  const line = make("code", {});
  const upload = operation.requestBody?.content["multipart/form-data"];
  const content = upload ? null : operation.requestBody?.content["application/json"];
  const example = content?.example ? JSON.stringify(content.example, null, 2) : "";
  const form = make("form", {},
    (operation.parameters || []).filter((parameter) => !upload || parameter.in === "path").map(parameterField),
    upload ? formFields(document_, upload.schema) : null,
    content ? make("label", { class: "wide" }, "Body (application/json)",
      make("textarea", { name: "body", spellcheck: "false", rows: Math.min(12, example.split("\n").length) + 1 }, example)) : null,
    make("div", { class: "wide" }, make("button", { type: "submit" }, "Send"), " ",
      make("button", { type: "button", class: "plain", click: (event) => copy(line.textContent, event.target) }, "Copy curl")));
  const refresh = () => {
    const job = form.querySelector("[name=jobId]");
    if (job) job.placeholder = byId("job").value || "jobId";
    line.textContent = curlLine(requestOf(path, method, operation, form));
  };
  form.addEventListener("input", refresh);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    refresh();
    send(requestOf(path, method, operation, form), output);
  });
  byId("settings").addEventListener("input", refresh);
  refresh();
  return [form, make("pre", {}, line), output];
}

function showOperation(document_, path, method, operation) {
  const name = method.toUpperCase();
  const holder = make("div");
  const open = () => {
    if (holder.hasChildNodes()) return;
    const bodies = operation.requestBody?.content || {};
    const body = bodies["multipart/form-data"] || Object.values(bodies)[0];
    holder.append(
      ...(operation.description ? [make("p", {}, ...prose(operation.description))] : []),
      ...(operation.security ? [make("p", { class: "faint" }, "Requires the job's token.")] : []),
      ...(operation.responses["101"] ? [make("p", {}, make("a", { href: "#socket" }, "Try it below."))]
        : showRequestForm(document_, path, name, operation)),
      ...(body ? [make("h3", {}, "Body"), showSchema(document_, body.schema)] : []),
      make("h3", {}, "Responses"), ...showAnswers(document_, operation.responses));
  };
  return make("details", { class: `entry operation ${operation.deprecated ? "deprecated" : ""}`, id: operation.operationId,
      "data-words": `${name} ${path} ${operation.summary} ${operation.description || ""}`.toLowerCase(), toggle: open },
    make("summary", {}, make("span", { class: `method ${method}` }, name), " ", make("span", { class: "path" }, path), " ",
      make("span", { class: "faint" }, operation.summary, operation.deprecated ? make("em", {}, " (deprecated)") : "")),
    holder);
}
