import { field, integer, parseInteger } from "./field.ts";

const HOUR_MS = 3_600_000;
const USUAL_LIMIT = 300;
/** A month of minutes, and one. */
const MOST = 43_201;
const LONGEST_SPAN_HOURS = 1_000_000;

export const span = integer(1, LONGEST_SPAN_HOURS);

/** More than the most there is counts as the most. */
export const limit = field({
  expected: "must be a whole number from 1",
  jsonSchema: { type: ["integer", "string"], minimum: 1, pattern: "^ *\\d+ *$" },
  parse(value) {
    const number = parseInteger(value);
    return number === undefined || number < 1 ? undefined : Math.min(number, MOST);
  },
});

/** Where a span is given it alone is the range, unless a limit narrows it. */
export function resolveLimit(limit: number | undefined, span: number | undefined): number {
  return limit ?? (span === undefined ? USUAL_LIMIT : MOST);
}

export function spanStart(hours: number, now: number): number {
  return Math.max(0, now - hours * HOUR_MS);
}
