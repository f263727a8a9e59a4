import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import type { JsonSchema } from "../../schema/field.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

const SHARED = "#/components/schemas/";

/** A reference to a schema among the components. */
export function componentRef(name: string): SchemaObject {
  return { $ref: `${SHARED}${name}` };
}

/** The JSON Schema of what clients may send for a parameter. */
export function jsonSchemaOf(parameter: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...forms } = z.toJSONSchema(parameter, {
    io: "input",
    unrepresentable: "any",
  });
  return forms;
}

export function isRequired(parameter: z.core.$ZodType): boolean {
  return !z.safeParse(parameter, undefined).success;
}

interface ResponseSchemas {
  /** Responses by the keys of the argument. */
  readonly answers: Readonly<Record<string, SchemaObject>>;
  /** Schemas that have an id, by that id; the responses refer to them. */
  readonly components: Readonly<Record<string, SchemaObject>>;
}

/** Converts all responses at once, so that a schema that two of them share is one component. Leaves out limits that say nothing. */
export function responseSchemas(answers: Readonly<Record<string, z.ZodType>>): ResponseSchemas {
  const { properties, $defs } = z.toJSONSchema(z.object(answers), {
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (isDeepStrictEqual(jsonSchema.propertyNames, { type: "string" }))
        delete jsonSchema.propertyNames;
    },
  });
  return { answers: relocated(properties), components: relocated($defs) };
}

function relocated(schemas: object = {}): Readonly<Record<string, SchemaObject>> {
  return JSON.parse(JSON.stringify(schemas), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", SHARED) : value,
  );
}
