import { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";
import { flagJsonSchema, parseFlag } from "../kit/flag.ts";
import { isRecord, parseJson } from "../kit/safe-json.ts";

/** A field does not know its name: that is put before its message where the whole input is parsed. */
const NAMED_LATER = "value";

/** The schema of one parameter: not sent, or a value. */
export type Field<Value> = z.ZodOptional<z.ZodType<Value | undefined>>;

/** The forms in which a parameter may come, as JSON Schema, for the reference. */
export type JsonSchema = Readonly<z.core.JSONSchema.BaseSchema>;

interface FieldSpec<Value> {
  /** What is said where it is something else. */
  readonly expected: string;
  /** Gives undefined where the value is not what was expected. */
  readonly parse: (value: unknown) => Value | undefined;
  readonly jsonSchema: JsonSchema;
  /** What empty text stands for; without it empty text is the same as not sent. */
  readonly empty?: Value;
}

export function field<Value>({
  expected,
  parse,
  jsonSchema,
  empty,
}: FieldSpec<Value>): Field<Value> {
  return z
    .unknown()
    .transform((value, context): Value | undefined => {
      if (value === "") return empty;
      try {
        const parsed = parse(value);
        if (parsed !== undefined) return parsed;
        context.addIssue(expected);
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error;
        context.addIssue(error.message.replace(`${NAMED_LATER}: `, ""));
      }
      return z.NEVER;
    })
    .optional()
    .meta(jsonSchema);
}

export function required<Value extends {}>(schema: Field<Value>): z.ZodType<Value> {
  return schema.transform((value, context): Value => {
    if (value !== undefined) return value;
    context.addIssue("required");
    return z.NEVER;
  });
}

export function text(maxLength: number): Field<string> {
  return field({
    expected: `must be text of at most ${maxLength} characters`,
    jsonSchema: { type: "string", maxLength },
    parse: (value) =>
      typeof value === "string" && value.length <= maxLength ? value.toWellFormed() : undefined,
  });
}

export const flag = field({
  expected: "must be true or false",
  jsonSchema: flagJsonSchema,
  parse: parseFlag,
});

export function integer(least: number, most: number): Field<number> {
  return field({
    expected: `must be a whole number from ${least} to ${most}`,
    jsonSchema: integerForms(least, most),
    parse(value) {
      const number = parseInteger(value);
      return number !== undefined && number >= least && number <= most ? number : undefined;
    },
  });
}

function integerForms(minimum: number, maximum: number): JsonSchema {
  return { type: ["integer", "string"], minimum, maximum, pattern: "^ *-?\\d+ *$" };
}

export function parseInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && /^ *-?\d+ *$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

/** One of the words, in whatever case it is written. */
export function choice<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field({
    expected: `must be one of ${words.join(", ")}`,
    jsonSchema: { type: "string", enum: [...words] },
    parse: (value) =>
      typeof value === "string"
        ? words.find((word) => word.toLowerCase() === value.trim().toLowerCase())
        : undefined,
  });
}

export const id = field({
  expected: "must be one id",
  jsonSchema: { type: "string" },
  parse: (value) => (typeof value === "string" ? value.trim() : undefined),
}).describe("Which one is meant");

export const customerid = id.describe(
  "The subaccount that is meant; the token's own account unless given",
);

/** One id, or a list of them: repeated, as a JSON list, or divided by commas. */
export const ids = field({
  expected: "must be an id or a list of ids",
  jsonSchema: { type: ["string", "array"], items: { type: "string" } },
  parse(value): string | readonly string[] | undefined {
    if (typeof value === "string" && !/^\[|,/.test(value)) return value.trim();
    const list = parseList(value);
    return list?.every((each) => typeof each === "string") ? list : undefined;
  },
});

/** Ids, as a list in any of its forms, each once. */
export function idList(most: number): Field<readonly string[]> {
  return field({
    expected: `must be a list of at most ${most} ids`,
    jsonSchema: { type: ["array", "string"], maxItems: most, items: { type: "string" } },
    parse(value) {
      const sent = parseList(value);
      if (!sent?.every((each) => typeof each === "string")) return undefined;
      const distinct = new Set(sent.map((each) => each.trim()).filter((each) => each !== ""));
      return distinct.size > most ? undefined : [...distinct];
    },
  });
}

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

/** A list in any of its forms, text divided by commas included. */
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
  name = NAMED_LATER,
): Readonly<Record<string, unknown>> | undefined {
  const parsed = readJsonText(value, name);
  if (Array.isArray(parsed) && parsed.length === 0) return {};
  return isRecord(parsed) ? parsed : undefined;
}

/** Lists and objects may arrive as their JSON text; all else stays as it is. */
export function readJsonText(value: unknown, name = NAMED_LATER): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? parseJson(name, value) : value;
}
