import { z } from "zod";

import {
  dayNames,
  isAlwaysOpen,
  longestScheduleName,
  parseTime,
} from "../../../domain/schedule.ts";
import type { DayRule, Schedule } from "../../../domain/schedule.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import { parseFlag } from "../../../kit/flag.ts";
import { isPrototypeKey } from "../../../kit/safe-json.ts";
import type { Scope } from "../../http/auth.ts";
import { deletedResponse } from "../responses.ts";
import { isRemoval } from "../checks/subscriptions.ts";
import type { ApiDeps } from "../../deps.ts";
import { customerid, id } from "../identifiers.ts";
import { required } from "../../../schema/field.ts";
import type { JsonSchema } from "../../../schema/field.ts";
import { parseRecord, record } from "../../../schema/json-values.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";

const value = z.union([z.string(), z.number(), z.boolean()]);

/** All values are returned as they were sent. */
const dayAnswer = z.object({
  time1: value.optional().describe("`H:MM`, the start"),
  time2: value.optional().describe("`H:MM`, the end"),
  exclude: value.optional().describe("Whether the window is the rest of the day instead"),
  disabled: value.optional().describe("No alerts on this day"),
  allday: value.optional().describe("Alerts at any time of this day"),
});
/** More than there are, so that one that is none is named. */
const MOST_DAYS = 100;
const sentForms: JsonSchema = { type: ["string", "integer", "boolean"], maxLength: 100 };
const dayForms = Object.fromEntries(
  ["time1", "time2", "exclude", "disabled", "allday"].map((name) => [name, sentForms]),
);

const weekAnswer = z.partialRecord(z.enum(dayNames), dayAnswer).meta({ id: "Schedule" });

export function schedules({ store, quota }: Pick<ApiDeps, "store" | "quota">): Resource {
  const put = operation({
    summary: "Creates a schedule, or replaces it as a whole",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(id).describe("The name"),
      customerid,
      data: required(record(MOST_DAYS, { type: "object", properties: dayForms })).describe(
        "The days from `monday` to `sunday`, each with `time1`, `time2`, `exclude`, `disabled`, `allday`; no alerts go out on a day that is missing",
      ),
    }),
    example: { data: { monday: { time1: "8:00", time2: "17:00" } } },
    response: deletedResponse,
    async handle({ id, data }, { account }: Scope) {
      await quota.write(account, (tx) => tx.schedules.put(account.id, fromWire(id, data)));
      return { ok: true, id };
    },
  });
  return {
    name: "schedules",
    ids: "name",
    summary: "Weekly windows in which alerts may be sent, in the time zone of the account",
    operations: {
      GET: operation({
        summary: "Returns one schedule, or all by name",
        needs: "view",
        effect: "read",
        input: z.object({ id: id.describe("The name"), customerid }),
        response: z.union([weekAnswer, z.record(z.string(), weekAnswer)]),
        async handle({ id }, { account }) {
          if (id === undefined)
            return Object.fromEntries(
              (await store.schedules.list(account.id)).map(({ name, days }) => [name, days]),
            );
          const schedule = await store.schedules.find(account.id, id);
          if (schedule === undefined) throw missing();
          return schedule.days;
        },
      }),
      POST: put,
      PUT: put,
      DELETE: operation({
        summary: "Deletes a schedule; checks that name it then send alerts at any time",
        needs: "edit",
        effect: "write",
        input: z.object({ id: required(id).describe("The name"), customerid }),
        response: deletedResponse,
        async handle({ id }, { account }) {
          if (!(await store.write((tx) => tx.schedules.remove(account.id, id)))) throw missing();
          return { ok: true, id };
        },
      }),
    },
  };
}

function missing(): NotFound {
  return new NotFound("Unable to find that schedule");
}

function fromWire(name: string, data: Readonly<Record<string, unknown>>): Schedule {
  if (isAlwaysOpen(name))
    throw new InvalidInput(`id: always open and not to be changed ${JSON.stringify(name)}`);
  if (isRemoval(name))
    throw new InvalidInput(
      `id: takes recipients from a check, no schedule ${JSON.stringify(name)}`,
    );
  if (
    name === "" ||
    name.length > longestScheduleName ||
    /[\p{Cc}\p{Cs}]/u.test(name) ||
    isPrototypeKey(name)
  )
    throw new InvalidInput(
      `id: must be a name of at most ${longestScheduleName} printable characters`,
    );
  const unknown = Object.keys(data).find((day) => !dayNames.some((known) => known === day));
  if (unknown !== undefined)
    throw new InvalidInput(
      `data: must name days from monday to sunday, not ${JSON.stringify(unknown)}`,
    );
  const days = dayNames
    .filter((day) => isSent(data[day]))
    .map((day) => [day, dayFromWire(day, data[day])]);
  return { name, days: Object.fromEntries(days) };
}

const flags = ["exclude", "disabled", "allday"];
const times = ["time1", "time2"];

/** Validates a day; its values keep the JSON types in which they were sent. */
function dayFromWire(day: string, sent: unknown): DayRule {
  const rule = parseRecord(sent, `data.${day}`);
  if (rule === undefined) throw new InvalidInput(`data.${day}: must be an object`);
  for (const name of times) {
    if (isSent(rule[name]) && parseTime(rule[name]) === undefined)
      throw new InvalidInput(`data.${day}.${name}: must be a time such as 8:30`);
  }
  for (const name of flags) {
    if (isSent(rule[name]) && parseFlag(rule[name]) === undefined)
      throw new InvalidInput(`data.${day}.${name}: must be true or false`);
  }
  return Object.fromEntries(
    Object.entries(rule).filter(
      ([name, value]) => value !== null && (times.includes(name) || flags.includes(name)),
    ),
  );
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
