import { z } from "zod";

import { complement, overlaps, type DownSpan, type Span } from "../../../domain/span.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import { required } from "../../../schema/field.ts";
import { limit, resolveLimit } from "../../../schema/time-span.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { eventResponse, eventToResponse } from "./event-response.ts";
import { instant, instantOrNow } from "../instants.ts";

const pastEventResponse = z
  .object({
    type: z.enum(["down", "disabled"]),
    start: z.int().describe("ms since 1970"),
    end: z.int().optional().describe("ms since 1970; missing while the event is open"),
    open: z.boolean(),
    code: z.string().optional().describe("The result in short"),
    message: z.string().optional(),
    origin: z
      .string()
      .optional()
      .describe(
        "The system that the check was imported from, of an event that it knows from there",
      ),
  })
  .meta({ id: "PastEvent" });
type PastEvent = z.infer<typeof pastEventResponse>;

export function getCurrentEvents({ store }: Pick<ResourceDeps, "store">): Operation {
  return operation({
    summary: "Returns the checks that are down or disabled, by id",
    needs: "view",
    effect: "read",
    input: z.object({ customerid }),
    response: z.record(z.string(), eventResponse),
    async handle(_, { account }) {
      return Object.fromEntries(
        (await store.states.listCurrentEvents(account.id)).map((event) => [
          event.checkId,
          eventToResponse(event),
        ]),
      );
    },
  });
}

export function getPastEvents({ store }: Pick<ResourceDeps, "store">): Operation {
  return operation({
    summary: "Lists the periods in which a check was down or disabled, newest first",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(id).describe("The check's id"),
      customerid,
      start: instant.describe("The first instant"),
      end: instantOrNow.describe("The last instant, excluded; now if missing"),
      limit: limit.describe("How many at most; 300 if missing"),
    }),
    response: z.array(pastEventResponse),
    async handle({ id, start = 0, end = Number.MAX_SAFE_INTEGER, limit }, { account, access }) {
      const check = await findCheck(store, account.id, id);
      const shown = redactionFor(access).foundBy(check);
      const range = [Math.min(start, end), Math.max(start, end)] as const;
      const [enabled, down, history, imported] = await Promise.all([
        store.states.listEnabledSpans(check.no, 0, Number.MAX_SAFE_INTEGER),
        store.states.listDownSpans(check.no, ...range),
        store.importedHistories.find(check.no),
        store.importedHistories.listSpans(check.no, range),
      ]);
      const { origin } = history ?? {};
      const before = imported
        .filter(({ kind }) => kind === "down")
        .map((span): PastEvent => ({ ...downToWire({ ...span, text: "" }, shown), origin }));
      const disabled = complement(enabled, check.createdAt)
        .filter((span) => overlaps(span, range))
        .map((span): PastEvent => ({ type: "disabled", ...boundsOf(span) }));
      return [...disabled, ...down.map((span) => downToWire(span, shown)), ...before]
        .toSorted((one, other) => other.start - one.start)
        .slice(0, resolveLimit(limit, undefined));
    },
  });
}

function downToWire(
  { text, message, ...span }: DownSpan,
  shown: (text: string) => string,
): PastEvent {
  return {
    type: "down",
    ...boundsOf(span),
    code: shown(text),
    message: message === undefined ? undefined : shown(message),
  };
}

function boundsOf({ start, end }: Span): Pick<PastEvent, "start" | "end" | "open"> {
  return { start, ...(end === undefined ? {} : { end }), open: end === undefined };
}
