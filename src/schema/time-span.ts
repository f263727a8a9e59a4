import { field } from "./field.ts";
import { integer, parseInteger } from "./scalars.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_LIMIT = 300;
/** A month of minutes, and one. */
const MAX_LIMIT = 43_201;
const MAX_SPAN_HOURS = 1_000_000;

/** Hours back from now. */
export const span = integer(1, MAX_SPAN_HOURS);

/** How many records to return; a larger number than the maximum counts as the maximum. */
export const limit = field({
  expected: "must be a whole number from 1",
  jsonSchema: { type: ["integer", "string"], minimum: 1, pattern: "^ *\\d+(?:\\.0+)? *$" },
  parse(value) {
    const number = parseInteger(value);
    return number === undefined || number < 1 ? undefined : Math.min(number, MAX_LIMIT);
  },
});

/** A span without a limit returns all of it; otherwise the default limit holds. */
export function resolveLimit(limit: number | undefined, span: number | undefined): number {
  return limit ?? (span === undefined ? DEFAULT_LIMIT : MAX_LIMIT);
}

export function spanStart(hours: number, now: number): number {
  return Math.max(0, now - hours * HOUR_MS);
}
