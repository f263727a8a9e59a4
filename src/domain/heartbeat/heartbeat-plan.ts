import { rechecksOf, type Check } from "../check.ts";

/** Schedule of a PUSH check's heartbeats, and the maximum duration of its runs. */
export interface HeartbeatPlan {
  /** Whether the check fails if no heartbeat arrives. */
  readonly failsWhenLate: boolean;
  /** Returns the next scheduled time; undefined for one heartbeat per interval. */
  readonly nextTime: NextTime | undefined;
  /** The zone of that clock; undefined for the zone of the account. */
  readonly timeZone: string | undefined;
  /** How much later than expected one may come; undefined for the intervals that the rechecks multiply. */
  readonly graceMs: number | undefined;
  /** How long a run may take, from its start to its end. */
  readonly maxRunMs: number | undefined;
  /** Whether a run in progress must end only by that time, however late it is. */
  readonly waitsForRuns: boolean;
}

/** Returns the first time after an instant; undefined if there is none. */
export type NextTime = (after: number, timeZone: string) => number | undefined;

type Timed = Pick<Check, "intervalMinutes" | "rechecks">;

const MINUTE_MS = 60_000;
/** Tolerance for a sender's clock that is ahead: a heartbeat this shortly before the expected time counts as that one. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Until which time a heartbeat counts as the one that was expected. */
export function countsUntil(heartbeatAt: number, { nextTime }: HeartbeatPlan): number {
  return nextTime === undefined ? heartbeatAt : heartbeatAt + CLOCK_TOLERANCE_MS;
}

/** Returns the first time after that at which a heartbeat is expected; undefined if there is none. */
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
  // Zero rechecks count as one, because otherwise every heartbeat would be late on arrival.
  return graceMs ?? check.intervalMinutes * MINUTE_MS * (Math.max(1, rechecksOf(check)) - 1);
}
