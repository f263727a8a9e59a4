import { z } from "zod";

import { reservedHeaders } from "../../kit/http/request-head.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { objectOf, optional } from "../../schema/parameter.ts";
import type { JsonSchema } from "../../schema/field.ts";
import { secretPairs } from "../parameters/secrets.ts";

type Values = Readonly<Record<string, unknown>>;
type Pairs = Readonly<Record<string, string>>;

/** The value of a pair as text; undefined for null, which removes the pair. */
const scalar = z
  .union([z.string(), z.number(), z.boolean(), z.null()], {
    error: "must be text, a number, true, false or null",
  })
  .transform((value) => (value === null ? undefined : String(value)));

const scalarForms: JsonSchema = { type: ["string", "number", "boolean", "null"] };

const headerValue = scalar.refine(
  (value) => value === undefined || /^[\t -~]*$/.test(value),
  "must be one line of ASCII text",
);

/** A name of RFC 9110, 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export const sendHeaders = secretPairs(
  pairs(
    "Headers to send",
    objectOf(
      `must be an object of header names to text, each name once, and none of ${[...reservedHeaders].join(", ")}`,
      (names) => {
        const lower = new Set(names.map((name) => name.toLowerCase()));
        return (
          names.every((name) => TOKEN.test(name)) &&
          lower.size === names.length &&
          lower.isDisjointFrom(reservedHeaders)
        );
      },
    ),
    headerValue,
  ),
);

export const receiveHeaders = pairs(
  "Headers that the response must have, with these values in any case",
  objectOf("must be an object of header names to text", (names) =>
    names.every((name) => TOKEN.test(name)),
  ),
  headerValue,
);

const DATA = "The data to send: the pairs of a form, or a message";

export const formData = secretPairs(
  pairs(
    DATA,
    objectOf("must be an object of names to text", () => true),
    scalar,
  ),
);

const LONGEST_MESSAGE = 50_000;

/** Text that is sent unchanged, or pairs that are sent as JSON. */
export const textOrPairs = secretPairs(
  optional(
    {
      description: DATA,
      jsonSchema: {
        type: ["string", "object"],
        maxLength: LONGEST_MESSAGE,
        additionalProperties: scalarForms,
      },
      expected: `must be text of at most ${LONGEST_MESSAGE} characters, or an object of names to text`,
      parse(value) {
        const text = isRecord(value) && isFlat(value) ? JSON.stringify(value) : value;
        return typeof text === "string" && text.length <= LONGEST_MESSAGE ? text : undefined;
      },
    },
    undefined,
  ),
);

function isFlat(values: Values): boolean {
  return Object.values(values).every((value) => scalar.safeParse(value).success);
}

function pairs(
  description: string,
  object: z.ZodType<Values>,
  value: typeof scalar,
): z.ZodType<Pairs | undefined> {
  return object
    .pipe(z.record(z.string(), value))
    .transform((byName): Pairs =>
      Object.fromEntries(
        Object.entries(byName).flatMap(([name, text]) =>
          text === undefined ? [] : [[name, text]],
        ),
      ),
    )
    .optional()
    .meta({ description, type: "object", additionalProperties: scalarForms });
}
