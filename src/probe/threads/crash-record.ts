import { LRUCache } from "lru-cache";

import type { Job } from "../../bus/bus.ts";
import type { Clock } from "../../kit/clock.ts";
import { createBackoffs } from "../../kit/concurrency/backoff.ts";

/** Checks that were running when threads ended, since their last report. */
export interface CrashRecord {
  /** Returns the reason why the check is not run now; undefined if it is. */
  readonly refusal: (job: Job) => string | undefined;
  /** Whether it may only run where it can end nothing but its own thread. */
  readonly isSuspect: (job: Job) => boolean;
  readonly threadEnded: (job: Job, wasAlone: boolean) => void;
  readonly reported: (job: Job) => void;
}

/** A check that was running in this many ended threads runs alone. */
const SHARED_ENDS = 3;
const MAX_BACKOFF_MS = 3_600_000;
/** More entries mean a deliberate attack; the oldest are forgotten. */
const MAX_ENTRIES = 10_000;

export function createCrashRecord(clock: Pick<Clock, "monotonic">): CrashRecord {
  /** How many threads ended under each. */
  const ends = new LRUCache<string, number>({ max: MAX_ENTRIES });
  const backoffs = createBackoffs(MAX_BACKOFF_MS);
  /** Usually the map is empty, and every job asks. */
  const endsOf = (job: Job): number => (ends.size === 0 ? 0 : (ends.get(keyOf(job)) ?? 0));
  return {
    refusal(job) {
      if (endsOf(job) === 0) return undefined;
      const backoff = backoffs.of(keyOf(job), clock.monotonic());
      return (
        backoff &&
        `this check ended the thread that it alone ran in (times: ${backoff.times}); it is run again in ${backoff.minutesLeft} min, or once it is changed`
      );
    },
    isSuspect: (job) => endsOf(job) >= SHARED_ENDS,
    threadEnded(job, wasAlone) {
      const key = keyOf(job);
      ends.set(key, endsOf(job) + 1);
      if (wasAlone) backoffs.add(key, clock.monotonic());
    },
    reported(job) {
      if (endsOf(job) === 0) return;
      ends.delete(keyOf(job));
      backoffs.forget(keyOf(job));
    },
  };
}

/** Identifies the check and its revision, because a changed check may have been fixed. */
function keyOf({ id }: Job): string {
  return id.split(".").slice(0, -2).join(".");
}
