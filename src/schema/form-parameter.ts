import { z } from "zod";

import type { Language, Words } from "./words.ts";

/** Hints for a form in addition to the reference. */
export interface FormHints {
  /** A word or a few, above the input. */
  readonly title: Words;
  /** One sentence below the input; its English is the description unless given. */
  readonly help: Words | Pick<Words, "de">;
  /** Whether few need it, so that it is shown on demand. */
  readonly advanced?: true;
  /** Initial value of a new record, if different from the default of a missing value. */
  readonly suggested?: boolean | number | string;
  /** Labels of the words; by default the words themselves. */
  readonly choices?: Readonly<Record<string, Words>>;
  /** Set if the forms of the value do not determine it. */
  readonly input?: FormInput;
}

export const formHints = z.registry<FormHints>();

/**
 * How a value is entered: by a switch, as one of some words, as a number, as a line or several lines of text, hidden, as names with a value each, or as numbers that
 * are found by their path, with the range of each.
 */
export const formInputs = [
  "switch",
  "choice",
  "integer",
  "number",
  "line",
  "text",
  "password",
  "pairs",
  "metrics",
] as const;
export type FormInput = (typeof formInputs)[number];

/** A parameter as a form shows it. */
export interface FormParameter {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly input: FormInput;
  readonly required: boolean;
  readonly advanced: boolean;
  /** Default of a missing value; undefined for none. */
  readonly default?: unknown;
  /** Initial value of a new record. */
  readonly suggested?: unknown;
  readonly example?: unknown;
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Maximum number of pairs or metrics. */
  readonly maxProperties?: number;
}

type Forms = Readonly<Record<string, unknown>>;

/** Longer text has lines. */
const MAX_LINE_LENGTH = 1000;

export function formParameter(
  name: string,
  parameter: z.ZodType,
  {
    example,
    isSecret = false,
    language = "en",
  }: {
    readonly example?: unknown;
    readonly isSecret?: boolean;
    readonly language?: Language;
  } = {},
): FormParameter {
  const { description = "", ...forms } = parameter.meta() ?? {};
  const hints: Partial<FormHints> = formHints.get(parameter) ?? {};
  const help = { en: description, de: description, ...hints.help };
  const unsent = parameter.safeParse(undefined);
  const input =
    hints.input ?? inputOf(forms, { isSecret, hasChoices: hints.choices !== undefined });
  const fallback = unsent.success ? scalarOf(unsent.data) : undefined;
  return {
    name,
    title: hints.title?.[language] ?? name,
    help: help[language],
    input,
    required: !unsent.success,
    advanced: hints.advanced === true,
    ...(fallback !== undefined && { default: input === "choice" ? String(fallback) : fallback }),
    ...(hints.suggested !== undefined && { suggested: hints.suggested }),
    ...(example !== undefined && { example }),
    ...(input === "choice" && { choices: choicesOf(forms, hints.choices, language) }),
    ...boundsOf(forms, input),
  };
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}

function inputOf(
  forms: Forms,
  { isSecret, hasChoices }: { readonly isSecret: boolean; readonly hasChoices: boolean },
): FormInput {
  const types: readonly unknown[] = [forms.type].flat();
  if (hasChoices) return "choice";
  if (Array.isArray(forms.enum)) return types.includes("boolean") ? "switch" : "choice";
  if (types.includes("integer")) return "integer";
  if (types.includes("number") && forms.minimum !== undefined) return "number";
  if (types[0] === "object") return isOfObjects(forms.additionalProperties) ? "metrics" : "pairs";
  const isLong = forms.pattern === undefined && Number(forms.maxLength) > MAX_LINE_LENGTH;
  if (isLong) return "text";
  return isSecret ? "password" : "line";
}

function isOfObjects(members: unknown): boolean {
  return typeof members === "object" && members !== null && "properties" in members;
}

function choicesOf(
  forms: Forms,
  titles: FormHints["choices"],
  language: Language,
): readonly { readonly value: string; readonly title: string }[] {
  if (titles !== undefined)
    return Object.entries(titles).map(([value, title]) => ({ value, title: title[language] }));
  const words: readonly unknown[] = Array.isArray(forms.enum) ? forms.enum : [];
  return words.map((word) => ({ value: String(word), title: String(word) }));
}

/** The bounds that count for such an input. */
function boundsOf(forms: Forms, input: FormInput): Partial<FormParameter> {
  const names = boundsByInput[input];
  return Object.fromEntries(
    Object.entries(forms).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

const boundsByInput: Readonly<Record<FormInput, readonly string[]>> = {
  switch: [],
  choice: [],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  line: ["maxLength"],
  text: ["maxLength"],
  password: ["maxLength"],
  pairs: ["maxProperties"],
  metrics: ["maxProperties"],
};
