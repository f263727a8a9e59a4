import { z } from "zod";

import { flagJsonSchema, parseFlag } from "../kit/flag.ts";
import { isRecord, isPrototypeKey } from "../kit/safe-json.ts";

/** The forms in which a parameter may come, as JSON Schema. */
export type JsonSchema = Readonly<z.core.JSONSchema.BaseSchema>;

export interface ParameterSpec<Value> {
  /** One sentence for the reference and the form. */
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  /** What is said where it is something else. */
  readonly expected: string;
  /** Gives undefined where the value is not what was expected. */
  readonly parse: (value: unknown) => Value | undefined;
}

/** A parameter that must be there. */
export function required<Value>(reading: ParameterSpec<Value>): z.ZodType<Value> {
  return z.unknown().transform(reader(reading)).meta(metaOf(reading));
}

/** A parameter that may be missing: empty text and false are the same as that. */
export function optional<Value, Otherwise>(
  reading: ParameterSpec<Value>,
  otherwise: Otherwise,
): z.ZodType<Value | Otherwise> {
  const read = reader(reading);
  return z
    .unknown()
    .transform((value, context) =>
      value === "" || value === false ? otherwise : read(value, context),
    )
    .prefault("")
    .meta(metaOf(reading));
}

/** A switch. Empty text does not say which way. */
export function flag(description: string, otherwise = false): z.ZodType<boolean> {
  const reading = {
    description,
    jsonSchema: flagJsonSchema,
    expected: "must be true or false",
    parse: parseFlag,
  };
  return z.unknown().transform(reader(reading)).prefault(otherwise).meta(metaOf(reading));
}

/** Text, or a number that stands for it. */
export function text(description: string, maxLength: number): z.ZodType<string | undefined> {
  return optional(
    {
      description,
      jsonSchema: { type: ["string", "number"], maxLength },
      expected: `must be text of at most ${maxLength} characters`,
      parse: (value) => parseText(value, maxLength),
    },
    undefined,
  );
}

const LONGEST_LINE = 1000;

/** Text that cannot begin another line, as it becomes part of one that is sent. */
export function line(description: string): z.ZodType<string | undefined> {
  return optional(
    {
      description,
      jsonSchema: { type: ["string", "number"], maxLength: LONGEST_LINE },
      expected: `must be one line of at most ${LONGEST_LINE} characters`,
      parse(value) {
        const line = parseText(value, LONGEST_LINE);
        return line === undefined || /\p{Cc}/u.test(line) ? undefined : line;
      },
    },
    undefined,
  );
}

/** One of the words, in whatever case it is written; the first of them unless it is sent. */
export function choice<const Word extends string>(
  description: string,
  words: readonly [Word, ...Word[]],
): z.ZodType<Word> {
  return optional(
    {
      description,
      jsonSchema: { type: "string", enum: [...words] },
      expected: `must be one of ${words.join(", ")}`,
      parse: (value) =>
        typeof value === "string"
          ? words.find((word) => word.toLowerCase() === value.trim().toLowerCase())
          : undefined,
    },
    words[0],
  );
}

interface Range {
  readonly least: number;
  readonly most: number;
}

export function wholeNumber<Otherwise>(
  description: string,
  range: Range,
  otherwise: Otherwise,
): z.ZodType<number | Otherwise> {
  return optional(wholeNumberSpec(description, range), otherwise);
}

export function wholeNumberSpec(
  description: string,
  { least, most }: Range,
): ParameterSpec<number> {
  return {
    description,
    jsonSchema: { type: ["integer", "string"], minimum: least, maximum: most, pattern: "^-?\\d+$" },
    expected: `must be a whole number from ${least} to ${most}`,
    parse(value) {
      const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
      return typeof number === "number" &&
        Number.isInteger(number) &&
        number >= least &&
        number <= most
        ? number
        : undefined;
    },
  };
}

/** An object with keys that fit. Empty text is none, so it says nothing. */
export function objectOf(
  expected: string,
  fits: (keys: readonly string[]) => boolean,
): z.ZodType<Readonly<Record<string, unknown>>> {
  return z.custom<Readonly<Record<string, unknown>>>((value) => {
    const keys = isRecord(value) ? Object.keys(value) : undefined;
    return keys !== undefined && fits(keys) && !keys.some(isPrototypeKey);
  }, expected);
}

function parseText(value: unknown, longest: number): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.length <= longest ? text : undefined;
}

function reader<Value>({
  expected,
  parse,
}: ParameterSpec<Value>): (value: unknown, context: z.RefinementCtx) => Value {
  return (value, context) => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    context.addIssue(expected);
    return z.NEVER;
  };
}

function metaOf({ description, jsonSchema }: ParameterSpec<unknown>): z.GlobalMeta {
  return { ...jsonSchema, description };
}
