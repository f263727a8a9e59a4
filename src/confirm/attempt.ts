import { replyWithinMs } from "../bus/bus.ts";
import type { Bus } from "../bus/bus.ts";
import { jobOf } from "../bus/job.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import type { Meter } from "../kit/meter.ts";
import type { TimedReport } from "./run.ts";
import type { Series } from "./series.ts";

interface Deps {
  readonly bus: Pick<Bus, "jobs">;
  readonly clock: Clock;
  readonly meter: Meter;
}

/** Between two attempts at the same location, so that a short fault is over before it is confirmed. */
const SAME_LOCATION_DELAY_MS = 1000;

/** Sends a series' next attempt to the next location of its ranking; undefined where the series ended meanwhile. */
export async function sendNextAttempt(
  { due, ranking, runs }: Series,
  { bus, clock, meter }: Deps,
): Promise<TimedReport | undefined> {
  const { active, tick, signal } = due;
  const attempt = runs.length + 1;
  const location = ranking[runs.length % ranking.length];
  if (location === undefined) return undefined;
  if (attempt > ranking.length) await sleep(clock, SAME_LOCATION_DELAY_MS, signal);
  if (signal.aborted) return undefined;
  if (attempt > 1) meter.count("confirm.recheck");
  const job = jobOf(active, tick, attempt);
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
