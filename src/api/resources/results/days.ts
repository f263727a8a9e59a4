import { z } from "zod";

import {
  availability,
  DAY_MS,
  dayOf,
  dayStates,
  type DayAvailability,
} from "../../../domain/availability.ts";
import { NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { integer } from "../../../schema/scalars.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid, idList } from "../identifiers.ts";

const USUAL_DAYS = 90;
const MAX_DAYS = 400;
const MAX_CHECKS = 200;

const ofEachDay = z.array(z.int());

export const dayBars = z
  .object({
    state: z
      .array(z.enum(dayStates))
      .describe(
        "up, partly (down for a part of the enabled time), down, maintenance, or none (nothing was measured)",
      ),
    enabled: ofEachDay.describe("ms"),
    down: ofEachDay.describe("ms of the enabled time"),
    maintenance: ofEachDay.describe("ms, not part of the enabled time"),
  })
  .meta({ id: "DayBars" });

const daysResponse = z.object({
  start: z.int().describe("The beginning of the first day, GMT, in ms since 1970"),
  days: z.int().describe("How many; the last is today"),
  checks: z.record(z.string(), dayBars).describe("By id, each list with one entry a day"),
});

export function getDays({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Returns whether checks were up, partly down or down on each of the last days",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(idList(MAX_CHECKS)).describe(
        "The id of a check, or those of several; what is no check of the account is left out, unless all are",
      ),
      customerid,
      days: integer(1, MAX_DAYS).describe(`How many; ${USUAL_DAYS} if missing`),
    }),
    response: daysResponse,
    async handle({ id: ids, days = USUAL_DAYS }, { account }) {
      const numbers = await store.checks.findNumbers(account.id, ids);
      if (numbers.size === 0) throw new NotFound("Unable to find that check");
      const to = clock.now();
      const from = Math.max(0, dayOf(to) - (days - 1) * DAY_MS);
      const times = await store.states.listDayTimes([...numbers.values()], from, to);
      const bars = [...numbers].map(([id, no]) => [
        id,
        barsToResponse(availability(times.get(no) ?? new Map(), { from, to: to + 1 })),
      ]);
      return { start: from, days, checks: Object.fromEntries(bars) };
    },
  });
}

export function barsToResponse(days: readonly DayAvailability[]): z.infer<typeof dayBars> {
  return {
    state: days.map(({ state }) => state),
    enabled: days.map(({ enabledMs }) => enabledMs),
    down: days.map(({ downMs }) => downMs),
    maintenance: days.map(({ maintenanceMs }) => maintenanceMs),
  };
}
