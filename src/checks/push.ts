import { z } from "zod";

import { cronProblem, longestCron, withoutNickname } from "../domain/heartbeat/cron.ts";
import { evaluateMetrics, tooManyLookups } from "../domain/run/metric.ts";
import { passed } from "../domain/run/outcome.ts";
import { InvalidInput } from "../kit/errors.ts";
import { unnamed } from "../schema/field.ts";
import { formHints } from "../schema/form-parameter.ts";
import { optional, optionalFlag, text } from "../schema/parameter.ts";
import { definePushType } from "./check-type.ts";
import { fields } from "./parameters/metric-fields.ts";
import { secret } from "./parameters/secrets.ts";

const LONGEST_TOKEN = 100;
const MINUTE_MS = 60_000;
/** A year, for what runs once a year. */
const MINUTES = { min: 0.25, max: 527_040 };
/** As healthchecks has it for a new check: long enough for most of what runs by a cron. */
const DEFAULT_GRACE_MINUTES = 60;

const cron = optional(
  {
    description:
      "When heartbeats are expected, in place of each interval: five fields of cron in the time zone of the account",
    jsonSchema: { type: "string", maxLength: longestCron },
    expected: `must be text of at most ${longestCron} characters`,
    parse(value): string | undefined {
      if (typeof value !== "string") return undefined;
      const problem = cronProblem(value);
      if (problem !== undefined) throw new InvalidInput(`${unnamed}: ${problem}`);
      return withoutNickname(value);
    },
  },
  undefined,
).register(formHints, {
  title: "Expected times",
  help: "Five fields of cron in the time zone of the account, such as 30 2 * * 1-5; every interval if empty",
});

function minutes(description: string): z.ZodType<number | undefined> {
  return optional(
    {
      description,
      jsonSchema: { type: ["number", "string"], minimum: MINUTES.min, maximum: MINUTES.max },
      expected: `must be a number of minutes from ${MINUTES.min} to ${MINUTES.max}`,
      parse(value) {
        const isNumber = typeof value === "string" && /^ *\d+(?:\.\d+)? *$/.test(value);
        const number = isNumber ? Number(value) : value;
        const fits = typeof number === "number" && number >= MINUTES.min && number <= MINUTES.max;
        return fits ? number : undefined;
      },
    },
    undefined,
  );
}

export const pushCheck = definePushType({
  type: "PUSH",
  title: "Heartbeat",
  group: "heartbeat",
  summary:
    "Waits for heartbeats of your system, and passes if their metrics are within their ranges",
  target: "none",
  example: {
    fields: { size: { name: "backup.gigabytes", min: 1 } },
    oldresultfail: true,
    cron: "30 2 * * 1-5",
    grace: 45,
    maxruntime: 120,
  },
  schema: z.object({
    fields,
    oldresultfail: optionalFlag(
      "Fails if no heartbeat comes for longer than the interval times `sens`, or by `cron` and `grace`; if not sent, true where one of these is set, false elsewhere",
    ).register(formHints, {
      title: "Fail when no heartbeat comes",
      help: "Otherwise only a heartbeat that reports a failure fails the check",
      suggested: true,
    }),
    cron,
    grace: minutes(
      `How many minutes later than expected a heartbeat may come: after the time of \`cron\` (${DEFAULT_GRACE_MINUTES} unless sent), or after the interval`,
    ).register(formHints, {
      title: "Grace, in minutes",
      help: `How much later than expected a heartbeat may come; with expected times ${DEFAULT_GRACE_MINUTES} if empty`,
    }),
    maxruntime: minutes(
      "How many minutes a run may take, from `/start` to its end; those of `grace` unless sent",
    ).register(formHints, {
      title: "Longest run, in minutes",
      help: "Fails if a job that said that it began has not ended by then",
      advanced: true,
    }),
    checktoken: secret(text("The token of the sender; `reset` makes a new one", LONGEST_TOKEN)),
  }),
  assigned: ["checktoken"],
  judge({ fields = [] }, data) {
    if (fields.length === 0) return passed("Success", "Heartbeat received");
    const outcome = evaluateMetrics(data, fields);
    if (outcome === undefined) throw new InvalidInput(`data: ${tooManyLookups}`);
    return outcome;
  },
  planOf({ oldresultfail, cron, grace, maxruntime }) {
    const graceMinutes = grace ?? (cron === undefined ? undefined : DEFAULT_GRACE_MINUTES);
    return {
      failsWhenLate: oldresultfail ?? graceMinutes !== undefined,
      cron,
      graceMs: msOf(graceMinutes),
      longestRunMs: msOf(maxruntime ?? graceMinutes),
      waitsForRuns: maxruntime !== undefined,
    };
  },
});

function msOf(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : minutes * MINUTE_MS;
}
