import { z } from "zod";

import { uptime } from "../../../domain/span.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { choice } from "../../../schema/scalars.ts";
import type { ApiDeps } from "../../deps.ts";
import { operation } from "../../operation.ts";
import type { Operation } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { instant, instantOrNow } from "./instants.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 3700;

const uptimeResponse = z
  .object({
    enabled: z.int().describe("ms"),
    down: z.int().describe("ms"),
    uptime: z.number().describe("Percent, to three decimals"),
  })
  .meta({ id: "Uptime" });

export function getUptime({ store, clock }: Pick<ApiDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Returns the share of its enabled time in which a check was not down",
    input: z.object({
      id: required(id).describe("The check's id"),
      customerid,
      interval: choice(["days", "months"]).describe(
        "months if missing; days for at most 3700 of them",
      ),
      start: instant.describe("The first instant; the creation of the check if missing"),
      end: instantOrNow.describe("The last instant, excluded; now if missing"),
    }),
    response: z.record(z.string(), uptimeResponse),
    async handle({ id, interval: period = "months", start, end }, { account }) {
      const check = await findCheck(store, account.id, id);
      const from = start ?? check.createdAt;
      const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now());
      if (start !== undefined && end !== undefined && end < start)
        throw new InvalidInput("end: must not be before start");
      if (period === "days" && to - from > MAX_DAYS * DAY_MS)
        throw new InvalidInput(`start: at most ${MAX_DAYS} days before end`);
      const [enabled, down] = await Promise.all([
        store.states.listEnabledSpans(check.no, from, to),
        store.states.listDownSpans(check.no, from, to),
      ]);
      const rows = uptime({ enabled, down, from, to, period });
      return Object.fromEntries(
        [...rows].map(([name, { enabledMs, downMs, percent }]) => [
          name,
          { enabled: enabledMs, down: downMs, uptime: percent },
        ]),
      );
    },
  });
}
