import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import type { Forms } from "../fields.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

const SHARED = "#/components/schemas/";

/** A schema that stands among the components under that name. */
export function shared(name: string): JsonSchema {
  return { $ref: `${SHARED}${name}` };
}

/** The forms in which a parameter may come. */
export function formsOf(parameter: z.core.$ZodType): Forms {
  const { $schema: _, ...forms } = z.toJSONSchema(parameter, {
    io: "input",
    unrepresentable: "any",
  });
  return forms;
}

export function isRequired(parameter: z.core.$ZodType): boolean {
  return !z.safeParse(parameter, undefined).success;
}

interface AnswerSchemas {
  /** By the keys that were given. */
  readonly answers: Readonly<Record<string, JsonSchema>>;
  /** Those that have an id, by that id: the answers refer to them. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** All of them at once, so that what two answers share is one component; without what goes without saying. */
export function answerSchemas(answers: Readonly<Record<string, z.ZodType>>): AnswerSchemas {
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

function relocated(schemas: object = {}): Readonly<Record<string, JsonSchema>> {
  return JSON.parse(JSON.stringify(schemas), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", SHARED) : value,
  );
}
