import { z } from "zod";

import type { CheckType } from "../../../../checks/check-type.ts";
import type { JsonSchema } from "../../../../schema/field.ts";
import { storedType } from "./stored-value.ts";

/** Values that some clients send for a switch, which parsers take although their schema may name others. */
const switches = [true, 0, 1] as const;

/** The parameters of a type as a record shows them. */
export function shownParameters({
  type,
  schema,
  assigned,
}: Pick<CheckType, "type" | "schema" | "assigned">): z.ZodObject {
  const own = Object.entries<z.ZodType>(schema.shape).map(([name, parameter]) => {
    if (assigned.includes(name)) return [name, z.string().describe(descriptionOf(parameter))];
    const shown = z.unknown().meta({ ...shownForm(name, parameter) });
    return [name, parameter.safeParse(undefined).success ? shown.optional() : shown];
  });
  return z
    .looseObject({
      ...Object.fromEntries(own),
      threshold: z.number().describe("Seconds"),
      sens: z.number().optional().describe("2 where it is missing"),
    })
    .describe(
      "The parameters of its type, each as it was sent, except that whole numbers are numbers and `follow` is a boolean; those that it had with another type stay",
    )
    .meta({ id: `${schemaNameOf(type)}Parameters` });
}

/** The name of a type in the names of schemas. */
export function schemaNameOf(type: string): string {
  return `${type.charAt(0)}${type.slice(1).toLowerCase()}`;
}

/** The JSON Schema of a stored value of a parameter: without the words and bounds of a request. */
export function shownForm(name: string, parameter: z.ZodType): JsonSchema {
  const meta: unknown = parameter.meta();
  const sent = isSchema(meta) ? meta : {};
  const stored = storedType(name, parameter);
  if (stored !== undefined) return { ...withoutBounds(sent), type: stored };
  const accepted = switches.filter((value) => parameter.safeParse(value).success);
  const declared = [sent.type ?? []].flat();
  const types = [...new Set([...declared, ...accepted.map(typeOf)])];
  const form = { ...withoutBounds(sent), type: types };
  const mayBeFalse = !types.includes("boolean") && parameter.safeParse(false).success;
  if (!mayBeFalse) return form;
  const { description, ...value } = form;
  return {
    ...(description !== undefined && { description }),
    anyOf: [value, { type: "boolean", const: false }],
  };
}

function typeOf(value: (typeof switches)[number]): "boolean" | "integer" {
  return typeof value === "boolean" ? "boolean" : "integer";
}

function descriptionOf(parameter: z.ZodType): string {
  return parameter.meta()?.description ?? "";
}

function withoutBounds(schema: JsonSchema): JsonSchema {
  const { type, description, items, properties, additionalProperties } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(isSchema(items) && { items: withoutBounds(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [
          name,
          isSchema(each) ? withoutBounds(each) : each,
        ]),
      ),
    }),
    ...(isSchema(additionalProperties) && {
      additionalProperties: withoutBounds(additionalProperties),
    }),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
