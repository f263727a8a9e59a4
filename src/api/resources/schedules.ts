import { z } from "zod";

import {
  dayNames,
  isAlwaysOpen,
  isOpen,
  maxScheduleNameLength,
  maxWindows,
  nextOpening,
  parseTime,
  type DayRule,
  type Schedule,
} from "../../domain/schedule.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import { parseFlag } from "../../kit/flag.ts";
import { isPrototypeKey } from "../../kit/safe-json.ts";
import { compatibilityOf } from "../http/compatibility.ts";
import { deletedResponse, oneOrById } from "./responses.ts";
import { isRemoval } from "./checks/subscriptions.ts";
import type { ResourceDeps } from "../deps.ts";
import { customerid, id } from "./identifiers.ts";
import { field, required, type JsonSchema } from "../../schema/field.ts";
import { parseList, parseRecord, record } from "../../schema/json-values.ts";
import { operation, type Operation, type Resource } from "../operation.ts";

const value = z.union([z.string(), z.number(), z.boolean()]);

const time = { time1: value.optional(), time2: value.optional() };

/** All values but `exclude` are returned as they were sent. */
const dayAnswer = z.object({
  time1: value.optional().describe("`H:MM`, the start"),
  time2: value.optional().describe("`H:MM`, the end"),
  exclude: z
    .union([z.literal(0), z.literal(1), z.boolean(), z.string()])
    .optional()
    .describe(
      "Whether the window is the rest of the day instead: 0 or 1; in legacy mode as it was sent",
    ),
  disabled: value.optional().describe("No alerts on this day"),
  allday: value.optional().describe("Alerts at any time of this day"),
  windows: z
    .array(z.object(time))
    .optional()
    .describe("Several windows of the day, in place of `time1` and `time2`"),
});
/** More than there are days, so that the error can name an invalid one. */
const MAX_DAYS = 100;
const sentForms: JsonSchema = { type: ["string", "integer", "boolean"], maxLength: 100 };
const timeForms = { time1: sentForms, time2: sentForms };
const dayForms = {
  ...timeForms,
  exclude: sentForms,
  disabled: sentForms,
  allday: sentForms,
  windows: {
    type: ["array", "string"],
    maxItems: maxWindows,
    items: { type: "object", properties: timeForms },
  } satisfies JsonSchema,
};

const week = required(record(MAX_DAYS, { type: "object", properties: dayForms })).describe(
  "The days from `monday` to `sunday`, each with `time1`, `time2`, `exclude`, `disabled`, `allday`, or with a list `windows` of several `{time1, time2}`; no alerts go out on a day that is missing",
);

const NAME = `must be a name of at most ${maxScheduleNameLength} printable characters`;
const name = field({
  expected: NAME,
  jsonSchema: { type: "string", maxLength: maxScheduleNameLength },
  parse: (value) => (typeof value === "string" ? value.trim() : undefined),
});

const weekAnswer = z.partialRecord(z.enum(dayNames), dayAnswer).meta({ id: "Schedule" });

export function schedules(deps: Pick<ResourceDeps, "store" | "clock">): Resource {
  const { store } = deps;
  const put = operation({
    summary: "Creates a schedule, or replaces it as a whole",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(name).describe("The name"),
      customerid,
      data: week,
    }),
    example: { data: { monday: { time1: "8:00", time2: "17:00" } } },
    response: deletedResponse,
    async handle({ id, data }, { account, writeWithinLimits }) {
      const schedule = { name: nameFromWire(id), days: parseDays(data) };
      await writeWithinLimits(account, (tx) => tx.schedules.put(account.id, schedule));
      return { ok: true, id };
    },
  });
  return {
    name: "schedules",
    ids: "name",
    summary: "Weekly windows in which alerts may be sent, in the time zone of the account",
    recorded: async (tx, { accountId, id }) => {
      const schedule = await tx.schedules.find(accountId, id);
      return schedule && { kept: {}, compared: { data: schedule.days } };
    },
    operations: {
      GET: operation({
        summary: "Returns one schedule, or all by name",
        needs: "view",
        effect: "read",
        input: z.object({ id: id.describe("The name"), customerid }),
        response: oneOrById(weekAnswer),
        async handle({ id }, { account, compatibility }) {
          const { shownDays } = compatibilityOf(compatibility);
          if (id === undefined) {
            const all = await store.schedules.list(account.id);
            return Object.fromEntries(all.map(({ name, days }) => [name, shownDays(days)]));
          }
          const schedule = await store.schedules.find(account.id, id);
          if (schedule === undefined) throw missing();
          return shownDays(schedule.days);
        },
      }),
      PREVIEW: previewSchedule(deps),
      POST: put,
      PUT: put,
      DELETE: operation({
        summary: "Deletes a schedule; checks that name it then send alerts at any time",
        needs: "edit",
        effect: "write",
        input: z.object({ id: required(id).describe("The name"), customerid }),
        response: deletedResponse,
        async handle({ id }, { account, write }) {
          if (!(await write((tx) => tx.schedules.remove(account.id, id)))) throw missing();
          return { ok: true, id };
        },
      }),
    },
  };
}

/** Previews a schedule before it is saved. */
function previewSchedule({ clock }: Pick<ResourceDeps, "clock">): Operation {
  return operation({
    summary: "Tells of a week, without saving it, whether alerts may be sent now, and when next",
    needs: "view",
    effect: "read",
    input: z.object({ customerid, data: week }),
    example: { data: { monday: { time1: "8:00", time2: "17:00" } } },
    response: z.object({
      open: z.boolean().describe("Whether alerts may be sent now"),
      opens: z
        .int()
        .optional()
        .describe("The first instant from now on at which they may, in ms since 1970"),
    }),
    async handle({ data }, { account: { timeZone } }) {
      const schedule = { name: "", days: parseDays(data) };
      const now = clock.now();
      const opens = nextOpening(schedule, now, timeZone);
      return { open: isOpen(schedule, now, timeZone), ...(opens !== undefined && { opens }) };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that schedule");
}

function nameFromWire(name: string): string {
  if (isAlwaysOpen(name))
    throw new InvalidInput(`id: always open and not to be changed ${JSON.stringify(name)}`);
  if (isRemoval(name))
    throw new InvalidInput(
      `id: takes recipients from a check, no schedule ${JSON.stringify(name)}`,
    );
  if (
    name === "" ||
    name.length > maxScheduleNameLength ||
    /[\p{Cc}\p{Cs}]/u.test(name) ||
    isPrototypeKey(name)
  )
    throw new InvalidInput(`id: ${NAME}`);
  return name;
}

/** Throws InvalidInput that names the member. */
export function parseDays(data: Readonly<Record<string, unknown>>): Schedule["days"] {
  const unknown = Object.keys(data).find((day) => !dayNames.some((known) => known === day));
  if (unknown !== undefined)
    throw new InvalidInput(
      `data: must name days from monday to sunday, not ${JSON.stringify(unknown)}`,
    );
  const days = dayNames
    .filter((day) => isSent(data[day]))
    .map((day) => [day, dayFromWire(day, data[day])]);
  return Object.fromEntries(days);
}

const flags = ["exclude", "disabled", "allday"];
const times = ["time1", "time2"];

/** Validates a day; its values keep the JSON types in which they were sent. */
function dayFromWire(day: string, sent: unknown): DayRule {
  const rule = parseRecord(sent, `data.${day}`);
  if (rule === undefined) throw new InvalidInput(`data.${day}: must be an object`);
  assertTimes(rule, `data.${day}`);
  const windows = windowsFromWire(day, rule.windows);
  for (const name of flags) {
    if (isSent(rule[name]) && parseFlag(rule[name]) === undefined)
      throw new InvalidInput(`data.${day}.${name}: must be true or false`);
  }
  const known = Object.entries(rule)
    .filter(([name, value]) => value !== null && (times.includes(name) || flags.includes(name)))
    .map(([name, value]) => [name, name === "exclude" ? excludeFromWire(value) : value]);
  return { ...Object.fromEntries(known), ...(windows !== undefined && { windows }) };
}

/** Queries and forms have no numbers, and a strict client decodes this flag as one. */
function excludeFromWire(value: unknown): unknown {
  const text = typeof value === "string" ? value.trim() : undefined;
  return text === "0" || text === "1" ? Number(text) : value;
}

/** Several windows of a day; both times of each are needed, for one without an end lets nothing through. */
function windowsFromWire(day: string, sent: unknown): readonly object[] | undefined {
  if (!isSent(sent)) return undefined;
  const name = `data.${day}.windows`;
  const windows = parseList(sent, maxWindows);
  if (windows === undefined)
    throw new InvalidInput(`${name}: must be a list of at most ${maxWindows} windows`);
  return windows.map((each) => {
    const window = parseRecord(each, name);
    if (window === undefined || !isSent(window.time1) || !isSent(window.time2))
      throw new InvalidInput(`${name}: must have objects with time1 and time2`);
    assertTimes(window, name);
    return { time1: window.time1, time2: window.time2 };
  });
}

function assertTimes(rule: Readonly<Record<string, unknown>>, name: string): void {
  const wrong = times.find((time) => isSent(rule[time]) && parseTime(rule[time]) === undefined);
  if (wrong !== undefined) throw new InvalidInput(`${name}.${wrong}: must be a time such as 8:30`);
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
