import { nextStart } from "./cron.ts";
import { rechecksOf } from "../check.ts";
import type { Check } from "../check.ts";

/** When a PUSH check expects heartbeats, and how long its runs may take. */
export interface HeartbeatPlan {
  /** Whether the check fails when none comes. */
  readonly failsWhenLate: boolean;
  /** Five fields, in the account's own time; undefined for one in every interval. */
  readonly cron: string | undefined;
  /** How much later than expected one may come; undefined for the intervals that the rechecks multiply. */
  readonly graceMs: number | undefined;
  /** How long a run may take, from its start to its end. */
  readonly longestRunMs: number | undefined;
  /** Whether a run that goes on is expected to end by that time only, however late that is. */
  readonly waitsForRuns: boolean;
}

type Timed = Pick<Check, "intervalMinutes" | "rechecks">;

const MINUTE_MS = 60_000;
/** By how much a clock may be ahead at the sender: what comes so shortly before the time of a cron is what is expected then. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Until which time a heartbeat counts as the one that was expected. */
export function countsUntil(heartbeatAt: number, { cron }: HeartbeatPlan): number {
  return cron === undefined ? heartbeatAt : heartbeatAt + CLOCK_TOLERANCE_MS;
}

/** When a heartbeat is expected first after that time; undefined where the cron names no such time. */
export function expectedAfter(
  after: number,
  { cron }: HeartbeatPlan,
  { check, timeZone }: { readonly check: Timed; readonly timeZone: string },
): number | undefined {
  return cron === undefined
    ? after + check.intervalMinutes * MINUTE_MS
    : nextStart(cron, Math.round(after), timeZone);
}

/** How long after it is expected a heartbeat may come. */
export function toleratedMs({ graceMs }: HeartbeatPlan, check: Timed): number {
  // With no rechecks every heartbeat would be late as it comes, so they count as one.
  return graceMs ?? check.intervalMinutes * MINUTE_MS * (Math.max(1, rechecksOf(check)) - 1);
}
