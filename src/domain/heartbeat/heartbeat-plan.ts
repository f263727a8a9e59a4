import { rechecksOf, type Check } from "../check.ts";

/** When a PUSH check expects heartbeats, and how long its runs may take. */
export interface HeartbeatPlan {
  /** Whether the check fails when none comes. */
  readonly failsWhenLate: boolean;
  /** When one is expected by the clock; undefined for one in every interval. */
  readonly nextTime: NextTime | undefined;
  /** The zone of that clock; undefined for the zone of the account. */
  readonly timeZone: string | undefined;
  /** How much later than expected one may come; undefined for the intervals that the rechecks multiply. */
  readonly graceMs: number | undefined;
  /** How long a run may take, from its start to its end. */
  readonly longestRunMs: number | undefined;
  /** Whether a run that goes on is expected to end by that time only, however late that is. */
  readonly waitsForRuns: boolean;
}

/** The first time after an instant; undefined where none ever comes. */
export type NextTime = (after: number, timeZone: string) => number | undefined;

type Timed = Pick<Check, "intervalMinutes" | "rechecks">;

const MINUTE_MS = 60_000;
/** By how much a clock may be ahead at the sender: what comes so shortly before a time is what is expected then. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Until which time a heartbeat counts as the one that was expected. */
export function countsUntil(heartbeatAt: number, { nextTime }: HeartbeatPlan): number {
  return nextTime === undefined ? heartbeatAt : heartbeatAt + CLOCK_TOLERANCE_MS;
}

/** When a heartbeat is expected first after that time; undefined where no such time comes. */
export function expectedAfter(
  after: number,
  plan: HeartbeatPlan,
  { check, timeZone }: { readonly check: Timed; readonly timeZone: string },
): number | undefined {
  return plan.nextTime === undefined
    ? after + check.intervalMinutes * MINUTE_MS
    : plan.nextTime(Math.round(after), plan.timeZone ?? timeZone);
}

/** How long after it is expected a heartbeat may come. */
export function toleratedMs({ graceMs }: HeartbeatPlan, check: Timed): number {
  // With no rechecks every heartbeat would be late as it comes, so they count as one.
  return graceMs ?? check.intervalMinutes * MINUTE_MS * (Math.max(1, rechecksOf(check)) - 1);
}
