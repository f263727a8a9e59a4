import { replyWithinMs, type Bus } from "../../bus/bus.ts";
import { jobOf } from "../../bus/job.ts";
import { recheckWaitMs } from "../../domain/run/recheck-wait.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Meter } from "../../kit/meter.ts";
import type { TimedReport } from "./run.ts";
import type { RunSeries } from "./series.ts";

interface Deps {
  readonly bus: Pick<Bus, "jobs">;
  readonly clock: Clock;
  readonly meter: Meter;
}

/** Minimum time between two attempts at the same location, also where the check asks for no wait. */
const SAME_LOCATION_DELAY_MS = 1000;

/** Sends the next attempt of a series to the next ranked location; undefined if the series has ended. */
export async function sendNextAttempt(
  series: RunSeries,
  { bus, clock, meter }: Deps,
): Promise<TimedReport | undefined> {
  const { due, ranking, runs } = series;
  const { active, tick, signal } = due;
  const attempt = runs.length + 1;
  const location = ranking[runs.length % ranking.length];
  if (location === undefined) return undefined;
  const waitMs = waitBeforeNext(series, clock);
  if (waitMs > 0) await due.rest(waitMs);
  if (signal.aborted) return undefined;
  if (attempt > 1) meter.count("confirm.recheck");
  const job = jobOf(active, tick, { attempt, state: series.tracked.state });
  const sentAt = clock.now();
  const since = clock.monotonic();
  try {
    const timeoutMs = replyWithinMs(job);
    const report = await bus.jobs.request(location.code, job, { timeoutMs, signal });
    if (signal.aborted) return undefined;
    return { report, location: location.code, sentAt, elapsedMs: clock.monotonic() - since };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/**
 * Returns the milliseconds until the next attempt may start, counted from the last outcome because an undecided attempt says nothing about the target. A pass
 * of a check without a state is repeated immediately, because a first result should appear soon and wakes nobody.
 */
function waitBeforeNext(
  { due: { active }, tracked, ranking, runs, heardAt }: RunSeries,
  clock: Pick<Clock, "monotonic">,
): number {
  const sameLocationMs = runs.length < ranking.length ? 0 : SAME_LOCATION_DELAY_MS;
  const decided = runs.filter(({ status }) => status !== "undecided");
  const isFirstPass = tracked.state === undefined && decided.at(-1)?.status === "passed";
  if (heardAt === undefined || isFirstPass) return sameLocationMs;
  const startAt = heardAt + recheckWaitMs(active, decided.length);
  return Math.max(sameLocationMs, startAt - clock.monotonic());
}
