import { isRecord, parseJson } from "../kit/safe-json.ts";
import { field, unnamed } from "./field.ts";
import type { Field, JsonSchema } from "./field.ts";

/** A list, its JSON text, or the object that PHP makes of a list with a gap. */
export function list(items: JsonSchema): Field<readonly unknown[]> {
  return field({
    expected: "must be a list",
    jsonSchema: { type: "array", items },
    parse(value) {
      const parsed = readJsonText(value);
      return typeof parsed === "string" ? undefined : parseList(parsed);
    },
  });
}

/** Reads a list as `list` does, or text divided by commas. */
export function parseList(value: unknown): readonly unknown[] | undefined {
  const parsed = readJsonText(value);
  if (typeof parsed === "string")
    return parsed
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  if (Array.isArray(parsed)) return parsed;
  return isRecord(parsed) && Object.keys(parsed).every((key) => /^\d+$/.test(key))
    ? Object.values(parsed)
    : undefined;
}

/** An object or its JSON text. The empty list is what PHP makes of an empty object. */
export function record(members: JsonSchema): Field<Readonly<Record<string, unknown>>> {
  return field({
    expected: "must be an object",
    jsonSchema: { type: "object", additionalProperties: members },
    parse: (value) => parseRecord(value),
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
