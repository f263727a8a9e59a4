import { z } from "zod";

import { judgeMetrics, numberOf } from "../domain/metric.ts";
import type { MetricField } from "../domain/metric.ts";
import { passed } from "../domain/outcome.ts";
import { definePushType } from "./check-type.ts";
import { flag } from "./kit/parameters.ts";

const MOST_FIELDS = 100;
const LONGEST_NAME = 255;
const UNSAFE_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

const FIELDS = `must be an object of at most ${MOST_FIELDS} fields`;
const NAME = `must be a text of 1 to ${LONGEST_NAME} characters`;

/** A limit: none where it is missing, 0 where it is null. */
const limit = z
  .unknown()
  .transform((value, context) => {
    const number = value === null ? 0 : numberOf(value);
    if (number !== undefined) return number;
    context.issues.push({ code: "custom", message: "must be a number", input: value });
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

const fields = z
  .custom<Readonly<Record<string, unknown>>>(isObject, FIELDS)
  .refine((value) => Object.keys(value).length <= MOST_FIELDS, FIELDS)
  .refine(
    (value) => !Object.keys(value).some((key) => UNSAFE_KEYS.includes(key)),
    `must not have a key ${UNSAFE_KEYS.join(", ")}`,
  )
  .pipe(z.record(z.string(), field))
  .transform((byKey): readonly MetricField[] => Object.values(byKey));

export const pushCheck = definePushType({
  type: "PUSH",
  summary:
    "Waits for your system to report, and passes when the metrics it sends are within their ranges",
  target: "none",
  schema: z.object({
    fields: fields.optional(),
    oldresultfail: flag,
    checktoken: z.string({ error: "must be a text" }).optional(),
  }),
  assigned: ["checktoken"],
  judge: ({ fields = [] }, data) =>
    fields.length === 0 ? passed("Success", "Heartbeat received") : judgeMetrics(data, fields),
  failsWhenOld: ({ oldresultfail }) => oldresultfail,
});

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
