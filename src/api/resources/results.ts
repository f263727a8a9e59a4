import { z } from "zod";

import type { Check } from "../../domain/check.ts";
import { uptime } from "../../domain/span.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import type { ResultQuery } from "../../store/results.ts";
import { parseInstant } from "../dates.ts";
import type { ApiDeps } from "../deps.ts";
import { eventToWire } from "../event-wire.ts";
import { choice, field, flag, id, required } from "../fields.ts";
import { arrayOf } from "../json-stream.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";
import { resultToWire } from "../result-wire.ts";
import { limit, limitOf, span, spanStart } from "../span.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 3700;

const instant = field(
  "must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date",
  parseInstant,
);
const instantOrNow = field("must be a date as start takes it, or now", (value) =>
  value === "now" ? Number.MAX_SAFE_INTEGER : parseInstant(value),
);

export function results({ store, clock }: Pick<ApiDeps, "store" | "clock">): Resource {
  const find = async (accountId: string, checkId: string): Promise<Check> => {
    const found = await store.checks.find(accountId, checkId);
    if (found === undefined) throw new NotFound("Unable to find that check");
    return found.check;
  };
  return {
    name: "results",
    ids: "record",
    operations: {
      GET: operation({
        input: z.object({
          id: required(id),
          customerid: id,
          span,
          limit,
          start: instant,
          end: instant,
          clean: flag,
        }),
        async handle({ id, span, limit, start, end, clean = limit === 1 }, { account }) {
          if (span !== undefined && (start !== undefined || end !== undefined))
            throw new InvalidInput("span: not to be used with start or end");
          const check = await find(account.id, id);
          const range =
            span === undefined
              ? rangeOf(start, end)
              : rangeOf(spanStart(span, clock.now()), undefined);
          return arrayOf(
            wirePages(check, { checkNo: check.no, limit: limitOf(limit, span), ...range }, clean),
          );
        },
      }),
      UPTIME: operation({
        input: z.object({
          id: required(id),
          customerid: id,
          interval: choice(["days", "months"]),
          start: instant,
          end: instantOrNow,
        }),
        async handle({ id, interval: period = "months", start, end }, { account }) {
          const check = await find(account.id, id);
          const from = start ?? check.createdAt;
          const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now());
          if (start !== undefined && end !== undefined && end < start)
            throw new InvalidInput("end: must not be before start");
          if (period === "days" && to - from > MOST_DAYS * DAY_MS)
            throw new InvalidInput(`start: at most ${MOST_DAYS} days before end`);
          const [enabled, down] = await Promise.all([
            store.states.enabledSpans(check.no, from, to),
            store.states.downSpans(check.no, from, to),
          ]);
          const rows = uptime({ enabled, down, from, to, period });
          return Object.fromEntries(
            [...rows].map(([name, { enabledMs, downMs, percent }]) => [
              name,
              { enabled: enabledMs, down: downMs, uptime: percent },
            ]),
          );
        },
      }),
      CURRENT: operation({
        input: z.object({ customerid: id }),
        async handle(_, { account }) {
          return Object.fromEntries(
            (await store.states.events(account.id)).map((event) => [
              event.checkId,
              eventToWire(event),
            ]),
          );
        },
      }),
    },
  };

  async function* wirePages(
    check: Check,
    query: ResultQuery,
    clean: boolean,
  ): AsyncIterable<readonly object[]> {
    for await (const page of store.results.page(query)) {
      const wire = page.map((result) => resultToWire(check, result));
      yield clean ? wire : wire.map((doc) => ({ _id: doc._id, doc }));
    }
  }
}

/** Start and end in the wrong order ask for the oldest first. */
function rangeOf(
  start = 0,
  end = Number.MAX_SAFE_INTEGER,
): Pick<ResultQuery, "from" | "to" | "order"> {
  return start <= end
    ? { from: start, to: end, order: "newest" }
    : { from: end, to: start, order: "oldest" };
}
