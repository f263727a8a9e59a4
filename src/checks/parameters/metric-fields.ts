import { z } from "zod";

import { maxNumberLength, parseNumber, type MetricField } from "../../domain/run/metric.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { objectOf } from "../../schema/parameter.ts";

const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 255;

const FIELDS = `must be an object of at most ${MAX_FIELDS} fields`;
const NAME = `must be a text of 1 to ${MAX_NAME_LENGTH} characters`;

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
      name: z.string({ error: NAME }).min(1, NAME).max(MAX_NAME_LENGTH, NAME),
      min: limit,
      max: limit,
    },
    { error: "must be an object with name, min and max" },
  )
  .transform(({ name, min, max }): MetricField => ({ path: name, min, max }));

const limitForms = { type: ["number", "string", "null"], maxLength: maxNumberLength } as const;

/** Numbers to find in a response or heartbeat, and their allowed ranges. */
export const fields = objectOf(FIELDS, MAX_FIELDS, () => true)
  .pipe(z.record(z.string(), field))
  .transform((byKey): readonly MetricField[] => Object.values(byKey))
  .optional()
  .meta({
    description:
      "Numbers to find by their dotted path, and the allowed range of each, under any key",
    type: "object",
    maxProperties: MAX_FIELDS,
    additionalProperties: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: MAX_NAME_LENGTH },
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
