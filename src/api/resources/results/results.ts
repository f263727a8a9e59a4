import { z } from "zod";

import type { Check } from "../../../domain/check.ts";
import { complement, overlaps, uptime } from "../../../domain/span.ts";
import type { DownSpan, Span } from "../../../domain/span.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { ResultQuery } from "../../../store/results.ts";
import { parseInstant } from "../../../schema/dates.ts";
import type { ApiDeps } from "../../deps.ts";
import { eventResponse, eventToWire } from "./event-response.ts";
import { choice, customerid, field, flag, id, required } from "../../../schema/field.ts";
import type { JsonSchema } from "../../../schema/field.ts";
import { streamArray } from "../../http/json-stream.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { loadDetails } from "./detail.ts";
import { resultResponse, resultToWire } from "./response.ts";
import { limit, resolveLimit, span, spanStart } from "../../../schema/time-span.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 3700;

const uptimeAnswer = z
  .object({
    enabled: z.int().describe("ms"),
    down: z.int().describe("ms"),
    uptime: z.number().describe("Percent, to three decimals"),
  })
  .meta({ id: "Uptime" });
const pastEventAnswer = z
  .object({
    type: z.enum(["down", "disabled"]),
    start: z.int().describe("ms since 1970"),
    end: z.int().optional().describe("ms since 1970; missing while it lasts"),
    open: z.boolean(),
    code: z.string().optional().describe("The result in short"),
    message: z.string().optional(),
  })
  .meta({ id: "PastEvent" });
type PastEvent = z.infer<typeof pastEventAnswer>;

const dateForms: JsonSchema = { type: ["integer", "string"], minimum: 0 };
const instant = field({
  expected: "must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date",
  jsonSchema: dateForms,
  parse: parseInstant,
});
const instantOrNow = field({
  expected: "must be a date as start takes it, or now",
  jsonSchema: dateForms,
  parse: (value) => (value === "now" ? Number.MAX_SAFE_INTEGER : parseInstant(value)),
});

export function results({ store, clock }: Pick<ApiDeps, "store" | "clock">): Resource {
  const find = async (accountId: string, checkId: string): Promise<Check> => {
    const found = await store.checks.find(accountId, checkId);
    if (found === undefined) throw new NotFound("Unable to find that check");
    return found.check;
  };
  return {
    name: "results",
    ids: "record",
    summary: "What the runs of a check found, and what follows from them",
    operations: {
      GET: operation({
        summary:
          "Lists the results of a check, newest first; oldest first where start is after end",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          span: span.describe("So many hours back from now; not with start or end"),
          limit: limit.describe("At most so many; 300 unless span is given"),
          start: instant.describe("The first instant"),
          end: instant.describe("The last instant"),
          clean: flag.describe("Without it, and unless limit is 1, each result is inside `doc`"),
          detail: flag.describe(
            "Whether each result also has its phases, the certificate, and what a failing target answered",
          ),
        }),
        response: z.array(
          z.union([resultResponse, z.object({ _id: z.string(), doc: resultResponse })]),
        ),
        async handle(
          { id, span, limit, start, end, clean = limit === 1, detail = false },
          { account },
        ) {
          if (span !== undefined && (start !== undefined || end !== undefined))
            throw new InvalidInput("span: not to be used with start or end");
          const check = await find(account.id, id);
          const range =
            span === undefined
              ? rangeOf(start, end)
              : rangeOf(spanStart(span, clock.now()), undefined);
          const query = { checkNo: check.no, limit: resolveLimit(limit, span), ...range };
          return streamArray(wirePages(check, query, { clean, detail }));
        },
      }),
      UPTIME: operation({
        summary: "Gives the share of its enabled time in which a check was not down",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          interval: choice(["days", "months"]).describe(
            "months unless given; days for at most 3700 of them",
          ),
          start: instant.describe("When the check was created unless given"),
          end: instantOrNow.describe("Excluded; now unless given"),
        }),
        response: z.record(z.string(), uptimeAnswer),
        async handle({ id, interval: period = "months", start, end }, { account }) {
          const check = await find(account.id, id);
          const from = start ?? check.createdAt;
          const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now());
          if (start !== undefined && end !== undefined && end < start)
            throw new InvalidInput("end: must not be before start");
          if (period === "days" && to - from > MOST_DAYS * DAY_MS)
            throw new InvalidInput(`start: at most ${MOST_DAYS} days before end`);
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
      }),
      CURRENT: operation({
        summary: "Gives the checks that are down or disabled, by id",
        input: z.object({ customerid }),
        response: z.record(z.string(), eventResponse),
        async handle(_, { account }) {
          return Object.fromEntries(
            (await store.states.listCurrentEvents(account.id)).map((event) => [
              event.checkId,
              eventToWire(event),
            ]),
          );
        },
      }),
      EVENTS: operation({
        summary: "Lists the times in which a check was down or disabled, newest first",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          start: instant.describe("The first instant"),
          end: instantOrNow.describe("Excluded; now unless given"),
          limit: limit.describe("At most so many; 300 unless given"),
        }),
        response: z.array(pastEventAnswer),
        async handle({ id, start = 0, end = Number.MAX_SAFE_INTEGER, limit }, { account }) {
          const check = await find(account.id, id);
          const range = [Math.min(start, end), Math.max(start, end)] as const;
          const [enabled, down] = await Promise.all([
            store.states.listEnabledSpans(check.no, 0, Number.MAX_SAFE_INTEGER),
            store.states.listDownSpans(check.no, ...range),
          ]);
          const disabled = complement(enabled, check.createdAt)
            .filter((span) => overlaps(span, range))
            .map((span): PastEvent => ({ type: "disabled", ...boundsOf(span) }));
          return [...disabled, ...down.map(downToWire)]
            .toSorted((one, other) => other.start - one.start)
            .slice(0, resolveLimit(limit, undefined));
        },
      }),
    },
  };

  async function* wirePages(
    check: Check,
    query: ResultQuery,
    { clean, detail }: { readonly clean: boolean; readonly detail: boolean },
  ): AsyncIterable<readonly object[]> {
    for await (const page of store.results.page(query)) {
      const detailOf = detail ? await loadDetails(store.evidence, page) : () => ({});
      const wire = page.map((result) => ({ ...resultToWire(check, result), ...detailOf(result) }));
      yield clean ? wire : wire.map((doc) => ({ _id: doc._id, doc }));
    }
  }
}

function downToWire({ text, message, ...span }: DownSpan): PastEvent {
  return { type: "down", ...boundsOf(span), code: text, message };
}

function boundsOf({ start, end }: Span): Pick<PastEvent, "start" | "end" | "open"> {
  return { start, ...(end === undefined ? {} : { end }), open: end === undefined };
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
