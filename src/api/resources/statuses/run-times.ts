import { z } from "zod";

import { emptySummary, mergeSummaries, quantileMs } from "../../../domain/run/run-summary.ts";
import { NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { HOUR_MS } from "../../../store/results.ts";
import type { ApiDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid, idList } from "../identifiers.ts";

/** As many as a screen shows. */
const MOST_CHECKS = 100;
const HOURS = 24;

const runTimesResponse = z.object({
  start: z.int().describe("The beginning of the first hour, in ms since 1970"),
  checks: z
    .record(z.string(), z.array(z.int().nullable()))
    .describe("By id, for each hour the median run time in ms; null without a run that was timed"),
});

export function getRunTimes({ store, clock }: Pick<ApiDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Returns how long runs of checks took in each of the last 24 hours, for small charts",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(idList(MOST_CHECKS)).describe(
        "The id of a check, or those of several; what is no check of the account is left out, unless all are",
      ),
      customerid,
    }),
    response: runTimesResponse,
    async handle({ id: ids }, { account }) {
      const numbers = await store.checks.findNumbers(account.id, ids);
      if (numbers.size === 0) throw new NotFound("Unable to find that check");
      const now = clock.now();
      const start = Math.max(0, now - (now % HOUR_MS) - (HOURS - 1) * HOUR_MS);
      const checks: [id: string, medians: readonly (number | null)[]][] = [];
      // One after the other: each may unpack a day.
      for (const [id, checkNo] of numbers)
        checks.push([id, await mediansOf(store, { checkNo, start, now })]);
      return { start, checks: Object.fromEntries(checks) };
    },
  });
}

interface Range {
  readonly checkNo: number;
  readonly start: number;
  readonly now: number;
}

async function mediansOf(
  { results }: ApiDeps["store"],
  { checkNo, start, now }: Range,
): Promise<readonly (number | null)[]> {
  const query = { checkNo, from: start, to: now + 1, stepMs: HOUR_MS };
  const hours = Map.groupBy(await results.summaries(query), ({ at }) => at);
  return Array.from({ length: HOURS }, (_, index) => {
    const found = hours.get(start + index * HOUR_MS) ?? [];
    const summary = found.reduce((sum, each) => mergeSummaries(sum, each.summary), emptySummary);
    const median = quantileMs(summary, 0.5);
    return median === undefined ? null : Math.round(median);
  });
}
