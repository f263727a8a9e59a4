import { z } from "zod";

import { reservedHeaders } from "../../kit/http/request-head.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { objectOf, optional } from "../../schema/parameter.ts";
import type { JsonSchema } from "../../schema/field.ts";
import { secretPairs } from "../parameters/secrets.ts";

type Values = Readonly<Record<string, unknown>>;
type Pairs = Readonly<Record<string, string>>;

/** Usual server limit for all headers together. */
const MAX_HEADER_LENGTH = 16_384;
const MAX_HEADERS = 100;
const MAX_MESSAGE_LENGTH = 50_000;
const MAX_PAIRS = 1000;

/** The value of a pair as text; undefined for null, which removes the pair. */
function scalarOf(maxLength: number) {
  const error = `must be text of at most ${maxLength} characters, a number, true, false or null`;
  return z
    .union([z.string().max(maxLength, error), z.number(), z.boolean(), z.null()], { error })
    .transform((value) => (value === null ? undefined : String(value)));
}

const scalar = scalarOf(MAX_MESSAGE_LENGTH);

const headerValue = scalarOf(MAX_HEADER_LENGTH).refine(
  (value) => value === undefined || /^[\t -~]*$/.test(value),
  "must be one line of ASCII text",
);

/** A name of RFC 9110, 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export const sendHeaders = secretPairs(
  pairs({
    description: "Headers to send",
    expected: `must be an object of at most ${MAX_HEADERS} header names to text, each name once, and none of ${[...reservedHeaders].join(", ")}`,
    maxProperties: MAX_HEADERS,
    fits(names) {
      const lower = new Set(names.map((name) => name.toLowerCase()));
      return (
        names.every((name) => TOKEN.test(name)) &&
        lower.size === names.length &&
        lower.isDisjointFrom(reservedHeaders)
      );
    },
    value: headerValue,
    maxLength: MAX_HEADER_LENGTH,
  }).register(formHints, {
    title: { en: "Headers to send", de: "Gesendete Header" },
    help: { en: "Such as Accept or Authorization", de: "Etwa Accept oder Authorization" },
  }),
);

export const receiveHeaders = secretPairs(
  pairs({
    description: "Headers that the response must have, with these values in any case",
    expected: `must be an object of at most ${MAX_HEADERS} header names to text`,
    maxProperties: MAX_HEADERS,
    fits: (names) => names.every((name) => TOKEN.test(name)),
    value: headerValue,
    maxLength: MAX_HEADER_LENGTH,
  }).register(formHints, {
    title: { en: "Expected headers", de: "Erwartete Header" },
    help: {
      de: "Header, die die Antwort haben muss, mit diesen Werten in beliebiger Groß- und Kleinschreibung",
    },
    advanced: true,
  }),
);

const DATA = "The data to send: the pairs of a form, or a message";

export const formData = secretPairs(
  pairs({
    description: DATA,
    expected: `must be an object of at most ${MAX_PAIRS} names to text`,
    maxProperties: MAX_PAIRS,
    fits: () => true,
    value: scalar,
    maxLength: MAX_MESSAGE_LENGTH,
  }).register(formHints, {
    title: { en: "Form to send", de: "Gesendetes Formular" },
    help: {
      en: "The names and values of a form, in place of a body",
      de: "Die Namen und Werte eines Formulars, anstelle eines Inhalts",
    },
    advanced: true,
  }),
);

/** Text that is sent unchanged, or pairs that are sent as JSON. */
export const textOrPairs = secretPairs(
  optional(
    {
      description: DATA,
      jsonSchema: {
        type: ["string", "object"],
        maxLength: MAX_MESSAGE_LENGTH,
        maxProperties: MAX_PAIRS,
        additionalProperties: scalarForms(MAX_MESSAGE_LENGTH),
      },
      expected: `must be text of at most ${MAX_MESSAGE_LENGTH} characters, or an object of at most ${MAX_PAIRS} names to text`,
      parse(value) {
        const text = isRecord(value) && isFlat(value) ? JSON.stringify(value) : value;
        return typeof text === "string" && text.length <= MAX_MESSAGE_LENGTH ? text : undefined;
      },
    },
    undefined,
  ).register(formHints, {
    title: { en: "Message to send", de: "Gesendete Nachricht" },
    help: { en: "Text, sent as it is", de: "Text, der unverändert gesendet wird" },
  }),
);

function isFlat(values: Values): boolean {
  return Object.values(values).every((value) => scalar.safeParse(value).success);
}

interface PairsSpec {
  readonly description: string;
  readonly expected: string;
  readonly maxProperties: number;
  readonly fits: (names: readonly string[]) => boolean;
  readonly value: typeof scalar;
  /** Maximum length of a value. */
  readonly maxLength: number;
}

function pairs({
  description,
  expected,
  maxProperties,
  fits,
  value,
  maxLength,
}: PairsSpec): z.ZodType<Pairs | undefined> {
  return objectOf(expected, maxProperties, fits)
    .pipe(z.record(z.string(), value))
    .transform((byName): Pairs =>
      Object.fromEntries(
        Object.entries(byName).flatMap(([name, text]) =>
          text === undefined ? [] : [[name, text]],
        ),
      ),
    )
    .optional()
    .meta({
      description,
      type: "object",
      maxProperties,
      additionalProperties: scalarForms(maxLength),
    });
}

function scalarForms(maxLength: number): JsonSchema {
  return { type: ["string", "number", "boolean", "null"], maxLength };
}
