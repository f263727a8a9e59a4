import { flagJsonSchema, parseFlag } from "../kit/flag.ts";
import { field, maxWordLength, type Field, type FieldSpec } from "./field.ts";

export const flagSpec: FieldSpec<boolean> = {
  expected: "must be true or false",
  jsonSchema: flagJsonSchema,
  parse: parseFlag,
};

export const flag = field(flagSpec);

/** One of the words, in any case. */
export function choiceSpec<const Word extends string>(words: readonly Word[]): FieldSpec<Word> {
  return {
    expected: `must be one of ${words.join(", ")}`,
    jsonSchema: { type: "string", enum: [...words] },
    parse: (value) =>
      typeof value === "string"
        ? words.find((word) => word.toLowerCase() === value.trim().toLowerCase())
        : undefined,
  };
}

export function choice<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field(choiceSpec(words));
}

export function text(maxLength: number): Field<string> {
  return field({
    expected: `must be text of at most ${maxLength} characters`,
    jsonSchema: { type: "string", maxLength },
    parse: (value) => (typeof value === "string" ? value.toWellFormed() : undefined),
  });
}

export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** A whole number, or the text of one as `pattern` has it. */
export function integerSpec({ min, max }: IntegerRange, pattern: RegExp): FieldSpec<number> {
  return {
    expected: `must be a whole number from ${min} to ${max}`,
    jsonSchema: {
      type: ["integer", "string"],
      minimum: min,
      maximum: max,
      pattern: pattern.source,
    },
    parse(value) {
      const number = numberFrom(value, pattern);
      return number !== undefined && number >= min && number <= max ? number : undefined;
    },
  };
}

/** Clients whose only numbers are fractions write 5 as `5.0`. */
const PADDED_INTEGER = /^ *-?\d+(?:\.0+)? *$/;

export function integer(min: number, max: number): Field<number> {
  return field(integerSpec({ min, max }, PADDED_INTEGER));
}

export function parseInteger(value: unknown): number | undefined {
  return numberFrom(value, PADDED_INTEGER);
}

function numberFrom(value: unknown, pattern: RegExp): number | undefined {
  const isText = typeof value === "string" && value.length <= maxWordLength;
  const number = isText && pattern.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}
