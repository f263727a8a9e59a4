import { z } from "zod";

import type { Check } from "../../../domain/check.ts";
import { uptime, type Span } from "../../../domain/span.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { choice, integer } from "../../../schema/scalars.ts";
import { knownSpans } from "../../../store/known-spans.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Call } from "../../http/auth.ts";
import { compatibilityOf } from "../../http/compatibility.ts";
import { operation, type Operation } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { instant, instantOrNow } from "../instants.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_DAYS = 3700;
/** Maximum by which clients shift days. */
const MAX_OFFSET_HOURS = 24;

export const uptimeResponse = z.record(
  z.string(),
  z
    .object({
      enabled: z.int().describe("ms"),
      down: z.int().describe("ms"),
      uptime: z
        .number()
        .optional()
        .describe(
          "Percent, to three decimals; missing where nothing was measured, such as before the first result",
        ),
    })
    .meta({ id: "Uptime" }),
);

/** Parameters for the measured time of a check and its division. */
export const uptimeFields = {
  interval: choice(["days", "months"]).describe("months if missing; days for at most 3700 of them"),
  start: instant.describe(
    "The first instant; if missing the creation of the check, or the beginning of the history that it was imported with",
  ),
  end: instantOrNow.describe("The last instant, excluded; now if missing"),
  offset: integer(-MAX_OFFSET_HOURS, MAX_OFFSET_HOURS).describe(
    "Hours ahead of GMT at which days and months begin, such as -7; 0 if missing",
  ),
};

export type UptimeInput = z.output<z.ZodObject<typeof uptimeFields>>;

type Deps = Pick<ResourceDeps, "store" | "clock">;

export function getUptime(deps: Deps): Operation {
  return operation({
    summary: "Returns the share of its enabled time in which a check was not down",
    needs: "view",
    effect: "read",
    input: z.object({ id: required(id).describe("The check's id"), customerid, ...uptimeFields }),
    response: uptimeResponse,
    handle: async ({ id, ...input }, { account, compatibility }) =>
      uptimeOf(deps, await findCheck(deps.store, account.id, id), { ...input, compatibility }),
  });
}

export async function uptimeOf(
  { store, clock }: Deps,
  check: Pick<Check, "no" | "createdAt">,
  {
    interval: period = "months",
    start,
    end,
    offset = 0,
    compatibility,
  }: UptimeInput & Pick<Call, "compatibility">,
): Promise<z.infer<typeof uptimeResponse>> {
  const { uptimeWhenUnmeasured } = compatibilityOf(compatibility);
  const imported = await store.importedHistories.find(check.no);
  const from = start ?? Math.min(check.createdAt, imported?.start ?? check.createdAt);
  const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now());
  if (start !== undefined && end !== undefined && end < start)
    throw new InvalidInput("end: must not be before start");
  if (period === "days" && to - from > MAX_DAYS * DAY_MS)
    throw new InvalidInput(`start: at most ${MAX_DAYS} days before end`);
  const { enabled, measured, down } = await knownSpans(store, check.no, [from, to]);
  const aheadMs = offset * HOUR_MS;
  const rows = uptime({
    enabled: shifted(enabled, aheadMs),
    measured: shifted(measured, aheadMs),
    down: shifted(down, aheadMs),
    from: from + aheadMs,
    to: to + aheadMs,
    period,
  });
  return Object.fromEntries(
    [...rows].map(([name, { enabledMs, downMs, percent = uptimeWhenUnmeasured }]) => [
      name,
      { enabled: enabledMs, down: downMs, uptime: percent },
    ]),
  );
}

/** The days and months of a place are those of GMT for spans that are as far ahead as its clocks. */
function shifted(spans: readonly Span[], ms: number): readonly Span[] {
  return spans.map(({ start, end }) => ({
    start: start + ms,
    end: end === undefined ? undefined : end + ms,
  }));
}
