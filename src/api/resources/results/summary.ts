import { z } from "zod";

import { CLOCK_SKEW_TOLERANCE_MS } from "../../../kit/clock.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import type { StoredResult } from "../../../store/results.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { instant, instantOrNow } from "../instants.ts";

const HOUR_MS = 3_600_000;
const USUAL_HOURS = 24;
const MAX_HOURS = 7 * 24;

const hourResponse = z
  .object({
    count: z.int().describe("How many results there are"),
    passed: z.int(),
    failed: z.int(),
    rt: z.int().describe("The average run time of those that passed, in ms"),
    min: z.int().describe("The shortest of these"),
    max: z.int().describe("The longest"),
  })
  .meta({ id: "ResultSummary" });

export function getSummary({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary:
      "Returns how many results of a check passed in each hour, and how long their runs took",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(id).describe("The check's id"),
      customerid,
      start: instant.describe(`The first instant; ${USUAL_HOURS} hours before the last if missing`),
      end: instantOrNow.describe("The last instant; now if missing"),
    }),
    response: z.record(
      z.string().describe("The beginning of the hour, in ms since 1970"),
      hourResponse,
    ),
    async handle({ id, start, end }, { account }) {
      const check = await findCheck(store, account.id, id);
      const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now() + CLOCK_SKEW_TOLERANCE_MS);
      const from = start ?? Math.max(0, to - USUAL_HOURS * HOUR_MS);
      if (from > to) throw new InvalidInput("end: must not be before start");
      if (to - from > MAX_HOURS * HOUR_MS + CLOCK_SKEW_TOLERANCE_MS)
        throw new InvalidInput(`start: at most ${MAX_HOURS} hours before end`);
      const hours = new Map<number, Hour>();
      const query = { checkNo: check.no, from, to, order: "oldest", limit: ALL } as const;
      for await (const page of store.results.page(query))
        for (const result of page) count(hours, result);
      return Object.fromEntries([...hours].map(([hour, counted]) => [hour, toResponse(counted)]));
    },
  });
}

/** The range has at most as many as a check has runs in it. */
const ALL = Number.MAX_SAFE_INTEGER;

interface Hour {
  passed: number;
  failed: number;
  sumMs: number;
  min: number;
  max: number;
}

function count(hours: Map<number, Hour>, { startedAt, passed, runtimeMs }: StoredResult): void {
  const start = startedAt - (startedAt % HOUR_MS);
  const hour = hours.get(start) ?? { passed: 0, failed: 0, sumMs: 0, min: Infinity, max: 0 };
  hours.set(start, hour);
  if (!passed) {
    hour.failed += 1;
    return;
  }
  hour.passed += 1;
  hour.sumMs += runtimeMs;
  hour.min = Math.min(hour.min, runtimeMs);
  hour.max = Math.max(hour.max, runtimeMs);
}

function toResponse({ passed, failed, sumMs, min, max }: Hour): z.infer<typeof hourResponse> {
  return {
    count: passed + failed,
    passed,
    failed,
    rt: passed === 0 ? 0 : Math.round(sumMs / passed),
    min: passed === 0 ? 0 : Math.round(min),
    max: Math.round(max),
  };
}
