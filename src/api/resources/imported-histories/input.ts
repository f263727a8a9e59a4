import {
  areWithin,
  isInOrder,
  shareTime,
  type ImportedSpan,
} from "../../../domain/imported-history.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import { list } from "../../../schema/json-values.ts";

/** Of each kind, in one request. */
const MOST_SPANS = 500;
const LONGEST_MESSAGE = 300;
const DAY_MS = 86_400_000;
const MOST_DAYS = 3650;

const instant = { type: "integer", minimum: 0 } as const;
const span = { type: "object", properties: { start: instant, end: instant } } as const;

export const spanFields = {
  known: list(MOST_SPANS, span).describe(
    "When the other system knew whether it was up, as `{start, end}` in ms since 1970, in order. The time between is unknown here",
  ),
  outages: list(MOST_SPANS, {
    type: "object",
    properties: {
      ...span.properties,
      message: { type: "string", maxLength: LONGEST_MESSAGE },
    },
  }).describe(
    "When it was down, within what is known, as `{start, end, message}` where a message is not required",
  ),
  maintenance: list(MOST_SPANS, span).describe(
    "When a maintenance paused it, outside of what is known, as `{start, end}`",
  ),
};

type Sent = Readonly<Partial<Record<keyof typeof spanFields, readonly unknown[] | undefined>>>;

/** Throws InvalidInput where the spans cannot be the history of a check. */
export function spansFromWire(sent: Sent, now: number): readonly ImportedSpan[] {
  const known = spansOf(sent, "known", now);
  const outages = spansOf(sent, "outages", now);
  const maintenance = spansOf(sent, "maintenance", now);
  if (!areWithin(outages, known)) throw new InvalidInput("outages: must lie within known");
  if (shareTime(known, maintenance)) throw new InvalidInput("maintenance: must lie outside known");
  return [...known, ...outages, ...maintenance];
}

const kinds = { known: "enabled", outages: "down", maintenance: "maintenance" } as const;

function spansOf(sent: Sent, name: keyof typeof kinds, now: number): readonly ImportedSpan[] {
  const spans = (sent[name] ?? []).map((each) => {
    const { start, end, message = "" } = isRecord(each) ? each : {};
    if (!isInstant(start) || !isInstant(end) || typeof message !== "string")
      throw new InvalidInput(`${name}: must have objects of start and end in ms since 1970`);
    if (message.length > LONGEST_MESSAGE)
      throw new InvalidInput(`${name}: messages have at most ${LONGEST_MESSAGE} characters`);
    if (start < now - MOST_DAYS * DAY_MS)
      throw new InvalidInput(`${name}: must begin within the last ${MOST_DAYS} days`);
    return { kind: kinds[name], start, end, message: message.toWellFormed() };
  });
  if (!isInOrder(spans))
    throw new InvalidInput(`${name}: must be in order, none empty and none sharing time`);
  return spans;
}

function isInstant(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
