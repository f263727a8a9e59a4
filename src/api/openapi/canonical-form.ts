import type { JsonSchema } from "../../schema/field.ts";

/**
 * Returns the schema a client should follow of all accepted notations: a switch as a boolean, a list as a list, a text as a text. Forms and queries have no
 * types, so other notations are accepted too; the document says so once. Numbers and objects may also be text entered by a person.
 */
export function canonicalForm(schema: JsonSchema): JsonSchema {
  // A property with a default is one that generated clients must send.
  const { type: _type, default: _default, items, properties, anyOf, ...others } = schema;
  const { additionalProperties, ...rest } = others;
  const kept = {
    ...withType(rest, typeOf(schema)),
    ...(properties !== undefined && { properties: mapped(properties) }),
    ...(isSchema(additionalProperties) && {
      additionalProperties: canonicalForm(additionalProperties),
    }),
    ...(additionalProperties === false && { additionalProperties }),
    ...(anyOf !== undefined && { anyOf: distinct(anyOf.filter(isSchema).map(canonicalForm)) }),
  };
  const isList = [kept.type].flat().includes("array");
  return isList ? { ...kept, items: isSchema(items) ? canonicalForm(items) : {} } : kept;
}

function typeOf({ type, enum: values, maxLength }: JsonSchema): JsonSchema["type"] {
  const types = new Set([type].flat());
  if (types.size < 2 || types.has("null")) return type;
  if (values !== undefined) return values.includes("yes") ? "boolean" : type;
  // People may enter an object as JSON text.
  if (types.has("object")) return type;
  // Text itself, unlike the text of a list, has a maximum length.
  const isText = types.has("string") && maxLength !== undefined;
  if (types.has("array")) return isText ? type : "array";
  return isText && types.size === 2 && types.has("boolean") ? "string" : type;
}

/** Removes what the schema says about omitted types. */
function withType(
  { enum: values, pattern, maxLength, ...rest }: JsonSchema,
  type: JsonSchema["type"],
): JsonSchema {
  const mayBeText = type === undefined || [type].flat().includes("string");
  return {
    ...rest,
    ...(type !== undefined && { type }),
    ...(values !== undefined && type !== "boolean" && { enum: values }),
    ...(pattern !== undefined && mayBeText && { pattern }),
    ...(maxLength !== undefined && mayBeText && { maxLength }),
  };
}

function mapped(
  properties: NonNullable<JsonSchema["properties"]>,
): NonNullable<JsonSchema["properties"]> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [
      name,
      isSchema(each) ? canonicalForm(each) : each,
    ]),
  );
}

/** Without those that say the same as one before. */
export function distinct<Schema extends object>(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}
