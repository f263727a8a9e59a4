import { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";
import { isRecord } from "../kit/safe-json.ts";

/** A field does not know its name. Messages of parsers that need one have this in its place, and it is cut off again. */
export const unnamed = "value";

/** Schema of the values that clients may send, for the OpenAPI document. */
export type JsonSchema = Readonly<z.core.JSONSchema.BaseSchema>;

/**
 * Value as written by clients. Accepted input is wider than the parsed value, so its JSON Schema is written next to its parser. `maxLength`, `maxItems`, and
 * `maxProperties` are enforced before parsing; without a `maxLength`, text is limited to the length of a word.
 */
export interface FieldSpec<Value> {
  /** The message for any other value. */
  readonly expected: string;
  /** Returns undefined if the value is invalid. */
  readonly parse: (value: unknown) => Value | undefined;
  readonly jsonSchema: JsonSchema;
  /** Result for a larger value; without it such a value is rejected. */
  readonly ifLarger?: Value;
}

/** Schema of one field: its value, or undefined if it was not sent. */
export type Field<Value> = z.ZodOptional<z.ZodType<Value | undefined>>;

export function field<Value>(
  spec: FieldSpec<Value> & {
    /** Result for empty text; without it empty text means not sent. */
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
  jsonSchema,
  ifLarger,
}: FieldSpec<Value>): (value: unknown, context: z.RefinementCtx) => Value {
  return (value, context) => {
    try {
      const parsed = fitsInto(jsonSchema, value) ? parse(value) : ifLarger;
      if (parsed !== undefined) return parsed;
      context.addIssue(expected);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      context.addIssue(error.message.replace(`${unnamed}: `, ""));
    }
    return z.NEVER;
  };
}

/** Longer than any number, date, switch or name of a choice, with blanks around it. */
export const maxWordLength = 100;
/** The longest JSON text of a list or an object: no body is longer. */
const MAX_JSON_LENGTH = 1_048_576;

function fitsInto(
  { type, maxLength, maxItems, maxProperties }: JsonSchema,
  value: unknown,
): boolean {
  if (typeof value === "string")
    return (
      value.length <= /* guard: size of parameters = Infinity */ (maxLength ?? maxTextLength(type))
    );
  if (Array.isArray(value)) return value.length <= (maxItems ?? 0);
  return !isRecord(value) || Object.keys(value).length <= (maxProperties ?? maxItems ?? 0);
}

function maxTextLength(type: JsonSchema["type"]): number {
  const isJson = [type].flat().some((each) => each === "array" || each === "object");
  return isJson ? MAX_JSON_LENGTH : maxWordLength;
}
