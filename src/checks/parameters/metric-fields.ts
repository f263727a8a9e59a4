import { z } from "zod";

import { longestNumber, parseNumber, type MetricField } from "../../domain/run/metric.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { objectOf } from "../../schema/parameter.ts";

const MOST_FIELDS = 100;
const LONGEST_NAME = 255;

const FIELDS = `must be an object of at most ${MOST_FIELDS} fields`;
const NAME = `must be a text of 1 to ${LONGEST_NAME} characters`;

/** A limit: missing means no limit, null means 0. */
const limit = z
  .unknown()
  .transform((value, context) => {
    const number = value === null ? 0 : parseNumber(value);
    if (number !== undefined) return number;
    context.addIssue("must be a number");
    return z.NEVER;
  })
  .optional();

const field = z
  .object(
    {
      name: z.string({ error: NAME }).min(1, NAME).max(LONGEST_NAME, NAME),
      min: limit,
      max: limit,
    },
    { error: "must be an object with name, min and max" },
  )
  .transform(({ name, min, max }): MetricField => ({ path: name, min, max }));

const limitForms = { type: ["number", "string", "null"], maxLength: longestNumber } as const;

/** Numbers to find in a response or heartbeat, and their allowed ranges. */
export const fields = objectOf(FIELDS, MOST_FIELDS, () => true)
  .pipe(z.record(z.string(), field))
  .transform((byKey): readonly MetricField[] => Object.values(byKey))
  .optional()
  .meta({
    description:
      "Numbers to find by their dotted path, and the allowed range of each, under any key",
    type: "object",
    maxProperties: MOST_FIELDS,
    additionalProperties: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: LONGEST_NAME },
        min: limitForms,
        max: limitForms,
      },
    },
  })
  .register(formHints, {
    title: { en: "Numbers to watch", de: "Überwachte Zahlen" },
    help: {
      en: "Each is found by its path, such as load.1min, and must be within its range",
      de: "Jede wird an ihrem Pfad gefunden, etwa load.1min, und muss in ihrem Bereich liegen",
    },
  });
