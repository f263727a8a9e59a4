import { z } from "zod";

import {
  calendarProblem,
  maxCalendarLength,
  nextElapse,
  parseCalendar,
} from "../domain/heartbeat/calendar.ts";
import {
  cronProblem,
  maxCronLength,
  nextStart,
  withoutNickname,
} from "../domain/heartbeat/cron.ts";
import type { NextTime } from "../domain/heartbeat/heartbeat-plan.ts";
import { evaluateMetrics, tooManyLookups } from "../domain/run/metric.ts";
import { passed } from "../domain/run/outcome.ts";
import { InvalidInput } from "../kit/errors.ts";
import { unnamed } from "../schema/field.ts";
import { formHints } from "../schema/form-parameter.ts";
import { optional, optionalFlag, text } from "../schema/parameter.ts";
import { parseTimeZone } from "../schema/time-zone.ts";
import { definePushType } from "./check-type.ts";
import { fields } from "./parameters/metric-fields.ts";
import { secret } from "./parameters/secrets.ts";
import { term } from "../schema/words.ts";

const MAX_TOKEN_LENGTH = 100;
const MINUTE_MS = 60_000;
/** A year, for what runs once a year. */
const MINUTES = { min: 0.25, max: 527_040 };
/** As healthchecks has it for a new check: long enough for most of what runs by a cron. */
const DEFAULT_GRACE_MINUTES = 60;

const cron = optional(
  {
    description:
      "When heartbeats are expected, in place of each interval: five fields of cron in the time zone of the check",
    jsonSchema: { type: "string", maxLength: maxCronLength },
    expected: `must be five fields of cron, such as 30 2 * * 1-5, in at most ${maxCronLength} characters`,
    parse(value): string | undefined {
      if (typeof value !== "string") return undefined;
      const problem = cronProblem(value);
      if (problem !== undefined) throw new InvalidInput(`${unnamed}: ${problem}`);
      return withoutNickname(value);
    },
  },
  undefined,
).register(formHints, {
  title: { en: "Expected times", de: "Erwartete Zeiten" },
  help: {
    en: "Five fields of cron, such as 30 2 * * 1-5; every interval if empty",
    de: "Fünf Felder wie bei cron, etwa 30 2 * * 1-5; jedes Intervall, wenn leer",
  },
});

const oncalendar = optional(
  {
    description:
      "When heartbeats are expected, in place of `cron`: a calendar expression such as `Mon..Fri 02:30`, `*-*~1 04:00` or `quarterly`, as in `OnCalendar` of a systemd timer, or several, each in a line; a time zone at its end comes before the time zone of the check",
    jsonSchema: { type: "string", maxLength: maxCalendarLength },
    expected: `must be calendar expressions of systemd such as daily, in at most ${maxCalendarLength} characters`,
    parse(value): string | undefined {
      if (typeof value !== "string") return undefined;
      const problem = calendarProblem(value);
      if (problem !== undefined) throw new InvalidInput(`${unnamed}: ${problem}`);
      return value;
    },
  },
  undefined,
).register(formHints, {
  title: {
    en: "Expected times, as in a systemd timer",
    de: "Erwartete Zeiten, wie in einem systemd-Timer",
  },
  help: {
    en: "Expressions of OnCalendar, each in a line, such as Mon..Fri 02:30 or *-*~1 04:00; in place of cron",
    de: "Ausdrücke wie bei OnCalendar, einer pro Zeile, etwa Mon..Fri 02:30 oder *-*~1 04:00; anstelle von cron",
  },
  input: "text",
  advanced: true,
});

const timezone = optional(
  {
    description:
      "The time zone of `cron` and `oncalendar`: an IANA name such as `Europe/Berlin`, or hours ahead of GMT in quarters; the time zone of the account unless sent",
    jsonSchema: { type: ["number", "string"], minimum: -12, maximum: 14 },
    expected: "must be a time zone, such as Europe/Berlin or -7",
    parse: (value) =>
      typeof value === "string" || typeof value === "number"
        ? parseTimeZone(String(value))
        : undefined,
  },
  undefined,
).register(formHints, {
  title: { en: "Time zone", de: "Zeitzone" },
  help: {
    en: "The time zone of the expected times, such as Europe/Berlin; the account’s if empty",
    de: "Die Zeitzone der erwarteten Zeiten, etwa Europe/Berlin; die des Kontos, wenn leer",
  },
  input: "line",
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
  title: term("Heartbeat"),
  group: "heartbeat",
  summary: {
    en: "Waits for heartbeats of your system, and passes if their metrics are within their ranges",
    de: "Wartet auf Heartbeats Ihres Systems, und besteht, wenn deren Zahlen in ihren Bereichen liegen",
  },
  target: "none",
  example: {
    fields: { size: { name: "backup.gigabytes", min: 1 } },
    oldresultfail: true,
    cron: "30 2 * * 1-5",
    timezone: "Europe/Berlin",
    grace: 45,
    maxruntime: 120,
  },
  schema: z.object({
    fields,
    oldresultfail: optionalFlag(
      "Fails if no heartbeat comes for longer than the interval times `sens`, or by `cron` or `oncalendar` and `grace`; if not sent, true where one of these is set, false elsewhere",
    ).register(formHints, {
      title: { en: "Fail when no heartbeat comes", de: "Fehlschlagen, wenn kein Heartbeat kommt" },
      help: {
        en: "Otherwise only a heartbeat that reports a failure fails the check",
        de: "Sonst schlägt die Prüfung nur fehl, wenn ein Heartbeat einen Fehler meldet",
      },
      suggested: true,
    }),
    cron,
    oncalendar,
    timezone,
    grace: minutes(
      `How many minutes later than expected a heartbeat may come: after the time of \`cron\` or \`oncalendar\` (${DEFAULT_GRACE_MINUTES} unless sent), or after the interval`,
    ).register(formHints, {
      title: { en: "Grace, in minutes", de: "Karenzzeit, in Minuten" },
      help: {
        en: `How much later than expected a heartbeat may come; with expected times ${DEFAULT_GRACE_MINUTES} if empty`,
        de: `Wie viel später als erwartet ein Heartbeat kommen darf; mit erwarteten Zeiten ${DEFAULT_GRACE_MINUTES}, wenn leer`,
      },
    }),
    maxruntime: minutes(
      "How many minutes a run may take, from `/start` to its end; those of `grace` unless sent",
    ).register(formHints, {
      title: { en: "Longest run, in minutes", de: "Längster Lauf, in Minuten" },
      help: {
        en: "Fails if a job that said that it began has not ended by then",
        de: "Schlägt fehl, wenn ein Job, der seinen Beginn gemeldet hat, bis dahin nicht beendet ist",
      },
      advanced: true,
    }),
    checktoken: secret(text("The token of the sender; `reset` makes a new one", MAX_TOKEN_LENGTH)),
  }),
  assigned: ["checktoken"],
  judge({ fields = [] }, data) {
    if (fields.length === 0) return passed("Success", "Heartbeat received");
    const outcome = evaluateMetrics(data, fields);
    if (outcome === undefined) throw new InvalidInput(`data: ${tooManyLookups}`);
    return outcome;
  },
  planOf({ oldresultfail, cron, oncalendar, timezone, grace, maxruntime }) {
    const nextTime = nextTimeOf({ cron, oncalendar });
    const graceMinutes = grace ?? (nextTime && DEFAULT_GRACE_MINUTES);
    return {
      failsWhenLate: oldresultfail ?? graceMinutes !== undefined,
      nextTime,
      timeZone: timezone,
      graceMs: msOf(graceMinutes),
      maxRunMs: msOf(maxruntime ?? graceMinutes),
      waitsForRuns: maxruntime !== undefined,
    };
  },
});

function nextTimeOf({
  cron,
  oncalendar,
}: {
  readonly cron: string | undefined;
  readonly oncalendar: string | undefined;
}): NextTime | undefined {
  if (cron !== undefined && oncalendar !== undefined)
    throw new InvalidInput("oncalendar: not with cron; send an empty one of them");
  if (oncalendar !== undefined) {
    const lines = parseCalendar(oncalendar);
    return (after, timeZone) => nextElapse(lines, after, timeZone);
  }
  return cron === undefined ? undefined : (after, timeZone) => nextStart(cron, after, timeZone);
}

function msOf(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : minutes * MINUTE_MS;
}
