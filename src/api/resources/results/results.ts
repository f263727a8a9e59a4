import { z } from "zod";

import type { Check } from "../../../domain/check.ts";
import { CLOCK_SKEW_TOLERANCE_MS } from "../../../kit/clock.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import { required } from "../../../schema/field.ts";
import { flag } from "../../../schema/scalars.ts";
import { limit, resolveLimit, span, spanStart } from "../../../schema/time-span.ts";
import type { ResultQuery } from "../../../store/results.ts";
import type { Store } from "../../../store/store.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Scope } from "../../http/auth.ts";
import { streamArray } from "../../http/responses/json-stream.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { instant } from "../instants.ts";
import { getDays } from "./days.ts";
import { loadDetails } from "./detail.ts";
import { getCurrentEvents, getPastEvents } from "./events.ts";
import { getHistory } from "./history.ts";
import { resultResponse, resultsToResponse } from "./response.ts";
import { getSummary } from "./summary.ts";
import { getUptime } from "./uptime.ts";

type Deps = Pick<ResourceDeps, "store" | "clock">;

export function results(deps: Deps): Resource {
  return {
    name: "results",
    ids: "record",
    summary: "The results of a check, its uptime and its events",
    operations: {
      GET: getResults(deps),
      UPTIME: getUptime(deps),
      CURRENT: getCurrentEvents(deps),
      EVENTS: getPastEvents(deps),
      SUMMARY: getSummary(deps),
      HISTORY: getHistory(deps),
      DAYS: getDays(deps),
    },
  };
}

function getResults({ store, clock }: Deps): Operation {
  return operation({
    summary: "Lists the results of a check, newest first; oldest first where start is after end",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(id).describe("The check's id"),
      customerid,
      span: span.describe("How many hours back from now; not with start or end"),
      limit: limit.describe("How many at most; 300 unless span is given"),
      start: instant.describe("The first instant"),
      end: instant.describe("The last instant"),
      clean: flag.describe("Without it, and unless limit is 1, each result is inside `doc`"),
      detail: flag.describe(
        "Adds to each result its timings, the certificate, and what a failing target responded",
      ),
    }),
    response: z.array(
      z.union([resultResponse, z.object({ _id: z.string(), doc: resultResponse })]),
    ),
    async handle(
      { id, span, limit, start, end, clean = limit === 1, detail = false },
      { account, ...reader },
    ) {
      if (span !== undefined && (start !== undefined || end !== undefined))
        throw new InvalidInput("span: not to be used with start or end");
      const check = await findCheck(store, account.id, id);
      const now = clock.now();
      // Others were found by a clock that has been set back since.
      const latest = Math.max(start ?? 0, now + CLOCK_SKEW_TOLERANCE_MS);
      const range =
        span === undefined ? rangeOf(start, end ?? latest) : rangeOf(spanStart(span, now), latest);
      const query = { checkNo: check.no, limit: resolveLimit(limit, span), ...range };
      return streamArray(wirePages({ store, check, reader }, query, { clean, detail }));
    },
  });
}

async function* wirePages(
  {
    store,
    check,
    reader,
  }: {
    readonly store: Pick<Store, "evidence" | "results">;
    readonly check: Check;
    readonly reader: Pick<Scope, "access" | "compatibility">;
  },
  query: ResultQuery,
  { clean, detail }: { readonly clean: boolean; readonly detail: boolean },
): AsyncIterable<readonly object[]> {
  const toResponse = resultsToResponse(check, reader);
  const shown = redactionFor(reader.access).foundBy(check);
  for await (const page of store.results.page(query)) {
    const detailOf = detail ? await loadDetails(store.evidence, page, shown) : () => ({});
    const wire = page.map((result) => ({ ...toResponse(result), ...detailOf(result) }));
    yield clean ? wire : wire.map((doc) => ({ _id: doc._id, doc }));
  }
}

/** Start and end in the wrong order request the oldest first. */
function rangeOf(
  start: number | undefined,
  end: number,
): Pick<ResultQuery, "from" | "to" | "order"> {
  const from = start ?? 0;
  return from <= end
    ? { from, to: end, order: "newest" }
    : { from: end, to: from, order: "oldest" };
}
