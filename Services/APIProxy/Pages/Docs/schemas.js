const nameOf = (reference) => reference.split("/").pop();

function follow(document_, reference) {
  return reference.split("/").slice(1).reduce((value, key) => value[key], document_);
}

function bounds(schema) {
  const parts = [];
  if (schema.enum) parts.push(schema.enum.join(" | "));
  if (schema.format) parts.push(schema.format);
  if (schema.pattern) parts.push(schema.pattern);
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    parts.push(`${schema.minLength ?? 0}–${schema.maxLength ?? ""} characters`);
  }
  const limit = 2147483647;
  if (schema.minimum !== undefined || schema.maximum !== undefined) {
    parts.push(schema.maximum >= limit ? `≥ ${schema.minimum}` : `${schema.minimum ?? ""}–${schema.maximum ?? ""}`);
  }
  if (schema.maxItems !== undefined) parts.push(`at most ${schema.maxItems}`);
  return parts.join(", ");
}

function typeName(schema) {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ");
  if (schema.oneOf) return `exactly one of ${schema.oneOf.map(typeName).join(", ")}`;
  if (schema.type === "array") return `list of ${typeName(schema.items)}`;
  if (schema.type === "object" && schema.additionalProperties) return `map of ${typeName(schema.additionalProperties)}`;
  return schema.type || "anything";
}

function memberRow(document_, name, schema, isRequired) {
  const limits = bounds(schema);
  return make("li", {},
    make("code", {}, name), " ", make("span", { class: "faint" }, typeName(schema) + (limits ? ` (${limits})` : "")),
    isRequired ? "" : make("span", { class: "faint" }, ", optional"),
    ...(schema.description ? [" — ", ...prose(schema.description)] : []),
    nested(document_, schema));
}

function nested(document_, schema) {
  const inner = schema.items || (typeof schema.additionalProperties === "object" && schema.additionalProperties) || schema;
  if (inner.$ref) {
    const holder = make("div");
    const open = () => { if (!holder.hasChildNodes()) holder.append(showSchema(document_, follow(document_, inner.$ref))); };
    return make("details", { toggle: open }, make("summary", {}, nameOf(inner.$ref)), holder);
  }
  return inner.properties ? showSchema(document_, inner) : null;
}

function showSchema(document_, schema) {
  if (schema.$ref && follow(document_, schema.$ref).oneOf) return showSchema(document_, follow(document_, schema.$ref));
  if (schema.oneOf) {
    return make("div", {}, make("p", {}, "Exactly one of:"), schema.oneOf.map((one) => nested(document_, one)));
  }
  if (schema.$ref || !schema.properties) return nested(document_, schema) || make("p", { class: "faint" }, typeName(schema));
  const required = new Set(schema.required || []);
  return make("ul", { class: "members" }, Object.entries(schema.properties).map(
    ([name, member]) => memberRow(document_, name, member, required.has(name))));
}
