import { isRecord, parseJson } from "../kit/safe-json.ts";
import { field, unnamed, type Field, type JsonSchema } from "./field.ts";

/** A list, its JSON text, or the object that PHP makes of a list with a gap. */
export function list(maxItems: number, items: JsonSchema): Field<readonly unknown[]> {
  return field({
    expected: `must be a list of at most ${maxItems} entries`,
    jsonSchema: { type: "array", maxItems, items },
    parse(value) {
      const parsed = readJsonText(value);
      return typeof parsed === "string" ? undefined : parseList(parsed, maxItems);
    },
  });
}

/** Reads a list as `list` does, or text divided by commas; undefined also where it has more entries. */
export function parseList(value: unknown, maxItems: number): readonly unknown[] | undefined {
  const entries = entriesOf(readJsonText(value), maxItems);
  return entries !== undefined && entries.length <= maxItems ? entries : undefined;
}

function entriesOf(value: unknown, maxItems: number): readonly unknown[] | undefined {
  if (typeof value === "string")
    return value
      .split(",", maxItems + 1)
      .map((part) => part.trim())
      .filter((part) => part !== "");
  if (Array.isArray(value)) return value;
  return isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key))
    ? Object.values(value)
    : undefined;
}

/** An object or its JSON text. The empty list is what PHP makes of an empty object. */
export function record(
  maxProperties: number,
  members: JsonSchema,
): Field<Readonly<Record<string, unknown>>> {
  return field({
    expected: `must be an object of at most ${maxProperties} members`,
    jsonSchema: { type: "object", maxProperties, additionalProperties: members },
    parse(value) {
      const parsed = parseRecord(value);
      const fits = parsed !== undefined && Object.keys(parsed).length <= maxProperties;
      return fits ? parsed : undefined;
    },
  });
}

export function parseRecord(
  value: unknown,
  name = unnamed,
): Readonly<Record<string, unknown>> | undefined {
  const parsed = readJsonText(value, name);
  if (Array.isArray(parsed) && parsed.length === 0) return {};
  return isRecord(parsed) ? parsed : undefined;
}

/** Lists and objects may arrive as their JSON text; everything else stays as it is. */
export function readJsonText(value: unknown, name = unnamed): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? parseJson(name, value) : value;
}
