import { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import { emptySummary, mergeSummaries, quantileMs } from "../../../domain/run/run-summary.ts";
import { NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { HOUR_MS } from "../../../store/results.ts";
import type { ResourceDeps } from "../../deps.ts";
import { streamArray } from "../../http/responses/json-stream.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, idList, ids } from "../identifiers.ts";
import { getActivity } from "./activity.ts";
import { getOverview, type OverviewDeps } from "./overview.ts";
import {
  heartbeatTypes,
  statusResponse,
  statusToResponse,
  type StatusAnswer,
} from "./status-response.ts";

export function statuses(deps: OverviewDeps): Resource {
  return {
    name: "statuses",
    ids: "record",
    summary: "How the checks of an account are, for lists and overviews",
    operations: {
      ACTIVITY: getActivity(deps),
      GET: getStatuses(deps),
      OVERVIEW: getOverview(deps),
      RUNTIMES: getRunTimes(deps),
    },
  };
}

function getStatuses(deps: OverviewDeps): Operation {
  return operation({
    summary: "Lists how the checks of an account are, in short; only again where that has changed",
    needs: "view",
    effect: "read",
    input: z.object({
      id: ids.describe("One id, or several divided by commas; all checks if missing"),
      customerid,
    }),
    response: z.array(statusResponse),
    async handle({ id }, { account }) {
      const wanted = id === undefined ? {} : { ids: [id].flat() };
      const pages = statusPages(deps, account, wanted);
      if (typeof id !== "string") return streamArray(pages, { isRevalidated: true });
      const found = (await Array.fromAsync(pages)).flat();
      if (found.length === 0) throw new NotFound("Unable to find that check");
      return found;
    },
  });
}

/** How checks of an account are, all or some, a page at a time. */
export async function* statusPages(
  { store, clock }: Pick<ResourceDeps, "store" | "clock">,
  { id: accountId, timeZone }: Pick<Account, "id" | "timeZone">,
  wanted: { readonly ids?: readonly string[]; readonly nos?: readonly number[] },
): AsyncIterable<readonly StatusAnswer[]> {
  const query = { parametersOf: heartbeatTypes, ...wanted };
  for await (const page of store.checks.listStatuses(accountId, query)) {
    const now = clock.now();
    yield page.map((check) => statusToResponse(check, { now, timeZone }));
  }
}

/** Maximum that a screen shows. */
const MAX_CHECKS = 100;

const HOURS = 24;

const runTimesResponse = z.object({
  start: z.int().describe("The beginning of the first hour, in ms since 1970"),
  checks: z
    .record(z.string(), z.array(z.int().nullable()))
    .describe("By id, for each hour the median run time in ms; null without a run that was timed"),
});

function getRunTimes({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Returns how long runs of checks took in each of the last 24 hours, for small charts",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(idList(MAX_CHECKS)).describe(
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
  { results }: ResourceDeps["store"],
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
