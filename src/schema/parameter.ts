import { z } from "zod";

import { isRecord, isPrototypeKey } from "../kit/safe-json.ts";
import { parserOf, type FieldSpec } from "./field.ts";
import { choiceSpec, flagSpec, integerSpec, type IntegerRange } from "./scalars.ts";

/** A parameter of a check type. Unlike a field of a request it has a description, and a value where it is not sent. */
export interface ParameterSpec<Value> extends FieldSpec<Value> {
  /** One sentence for the reference and the form. */
  readonly description: string;
}

/** A parameter that must be there. */
export function required<Value>(spec: ParameterSpec<Value>): z.ZodType<Value> {
  return z.unknown().transform(parserOf(spec)).meta(metaOf(spec));
}

/** A parameter that may be missing: empty text and false are the same as that. */
export function optional<Value, Fallback>(
  spec: ParameterSpec<Value>,
  fallback: Fallback,
): z.ZodType<Value | Fallback> {
  const parse = parserOf(spec);
  return z
    .unknown()
    .transform((value, context) =>
      value === "" || value === false ? fallback : parse(value, context),
    )
    .prefault("")
    .meta(metaOf(spec));
}

/** A switch. Empty text is refused, since it does not say which way. */
export function flag(description: string, fallback = false): z.ZodType<boolean> {
  return z
    .unknown()
    .transform(parserOf(flagSpec))
    .prefault(fallback)
    .meta(metaOf({ ...flagSpec, description }));
}

/** Schema of a switch that distinguishes a missing value. */
export function optionalFlag(description: string): z.ZodType<boolean | undefined> {
  const parse = parserOf(flagSpec);
  return z
    .unknown()
    .transform((value, context) => (value === undefined ? undefined : parse(value, context)))
    .optional()
    .meta(metaOf({ ...flagSpec, description }));
}

/** Schema of text, also accepting a number. */
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

const MAX_LINE_LENGTH = 1000;

/** Text without control characters: it becomes part of a line of a protocol. */
export function line(description: string): z.ZodType<string | undefined> {
  return optional(
    {
      description,
      jsonSchema: { type: ["string", "number"], maxLength: MAX_LINE_LENGTH },
      expected: `must be one line of at most ${MAX_LINE_LENGTH} characters`,
      parse(value) {
        const line = parseText(value, MAX_LINE_LENGTH);
        return line === undefined || /* guard: one line in parameters */ /\p{Cc}/u.test(line)
          ? undefined
          : line;
      },
    },
    undefined,
  );
}

/** One of the words, in any case; the first of them where it is not sent. */
export function choice<const Word extends string>(
  description: string,
  words: readonly [Word, ...Word[]],
): z.ZodType<Word> {
  return optional({ description, ...choiceSpec(words) }, words[0]);
}

export function wholeNumber<Fallback>(
  description: string,
  range: IntegerRange,
  fallback: Fallback,
): z.ZodType<number | Fallback> {
  return optional(wholeNumberSpec(description, range), fallback);
}

export function wholeNumberSpec(description: string, range: IntegerRange): ParameterSpec<number> {
  return { description, ...integerSpec(range, /^-?\d+(?:\.0+)?$/) };
}

/** Schema of an object with a maximum number of valid keys. */
export function objectOf(
  expected: string,
  maxProperties: number,
  fits: (keys: readonly string[]) => boolean,
): z.ZodType<Readonly<Record<string, unknown>>> {
  return z.custom<Readonly<Record<string, unknown>>>((value) => {
    const keys = isRecord(value) ? Object.keys(value) : [];
    return (
      isRecord(value) &&
      keys.length <= maxProperties &&
      keys.every((key) => key.length <= MAX_KEY_LENGTH && !isPrototypeKey(key)) &&
      fits(keys)
    );
  }, expected);
}

/** Longer than any name of a header, or of a field of a form that people write. */
const MAX_KEY_LENGTH = 1000;

function parseText(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.length <= maxLength ? text : undefined;
}

function metaOf({ description, jsonSchema }: ParameterSpec<unknown>): z.GlobalMeta {
  return { ...jsonSchema, description };
}
