import { isOpen, parseTime } from "./schedule.ts";
import type { Schedule } from "./schedule.ts";

const MINUTE_MS = 60_000;
/** Every zone is a multiple of it ahead of GMT. */
const QUARTER_MS = 15 * MINUTE_MS;
/** A week, and the day on which it ends. */
const LONGEST_MS = 8 * 24 * 60 * MINUTE_MS;

/** When a schedule that is closed at `at` (ms) lets something through again; undefined where it never does. */
export function nextOpening(
  schedule: Schedule,
  at: number,
  offsetHours: number,
): number | undefined {
  for (let quarter = at - (at % QUARTER_MS); quarter <= at + LONGEST_MS; quarter += QUARTER_MS) {
    for (const minute of minutesOf(schedule)) {
      const opening = quarter + minute * MINUTE_MS;
      if (opening > at && isOpen(schedule, opening, offsetHours)) return opening;
    }
  }
  return undefined;
}

/** The minutes of a quarter of an hour at which one of its windows may begin, ascending. */
function minutesOf({ days }: Schedule): readonly number[] {
  const times = Object.values(days).flatMap(({ time1, time2 }) => [time1, time2]);
  const minutes = times.flatMap((time) => parseTime(time) ?? []);
  return [...new Set([0, ...minutes].map((minute) => minute % 15))].toSorted(
    (one, other) => one - other,
  );
}
