import { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";

/** A field does not know its name. Messages of parsers that need one have this in its place, and it is cut off again. */
export const unnamed = "value";

/** What clients may send for a value, for the OpenAPI document. */
export type JsonSchema = Readonly<z.core.JSONSchema.BaseSchema>;

/** A value as clients write it. What is accepted is wider than what comes of it, so its JSON Schema is written beside its parser. */
export interface FieldSpec<Value> {
  /** The message for any other value. */
  readonly expected: string;
  /** Returns undefined where the value is not as expected. */
  readonly parse: (value: unknown) => Value | undefined;
  readonly jsonSchema: JsonSchema;
}

/** The schema of one field: its value, or undefined where it was not sent. */
export type Field<Value> = z.ZodOptional<z.ZodType<Value | undefined>>;

export function field<Value>(
  spec: FieldSpec<Value> & {
    /** What empty text stands for; without it empty text is the same as not sent. */
    readonly empty?: Value;
  },
): Field<Value> {
  const parse = parserOf(spec);
  return z
    .unknown()
    .transform((value, context): Value | undefined =>
      value === "" ? spec.empty : parse(value, context),
    )
    .optional()
    .meta(spec.jsonSchema);
}

export function required<Value extends {}>(schema: Field<Value>): z.ZodType<Value> {
  return schema.transform((value, context): Value => {
    if (value !== undefined) return value;
    context.addIssue("required");
    return z.NEVER;
  });
}

/** The parser as zod calls it: what is not as expected becomes an issue. */
export function parserOf<Value>({
  expected,
  parse,
}: FieldSpec<Value>): (value: unknown, context: z.RefinementCtx) => Value {
  return (value, context) => {
    try {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      context.addIssue(expected);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      context.addIssue(error.message.replace(`${unnamed}: `, ""));
    }
    return z.NEVER;
  };
}
