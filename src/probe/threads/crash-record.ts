import type { Job } from "../../bus/bus.ts";
import type { Clock } from "../../kit/clock.ts";

/** Which checks were under way when threads ended, since they last brought a report. */
export interface CrashRecord {
  /** Why the check is not run now; undefined where it is. */
  readonly refusal: (job: Job) => string | undefined;
  /** Whether it may only run where it can end nothing but its own thread. */
  readonly isSuspect: (job: Job) => boolean;
  readonly threadEnded: (job: Job, wasAlone: boolean) => void;
  readonly reported: (job: Job) => void;
}

interface Entry {
  readonly ends: number;
  /** How often it ended a thread that ran nothing else. */
  readonly endsAlone: number;
  readonly refusedUntil: number;
}

/** A check that was under way in so many threads that ended runs alone. */
const SHARED_ENDS = 3;
const FIRST_REFUSAL_MS = 60_000;
const LONGEST_REFUSAL_MS = 3_600_000;
/** More are under way only where somebody sees to it; the oldest are forgotten. */
const MOST_ENTRIES = 10_000;

export function createCrashRecord(clock: Pick<Clock, "monotonic">): CrashRecord {
  const entries = new Map<string, Entry>();
  /** Nearly always there is none, and each job asks. */
  const entryOf = (job: Job): Entry =>
    entries.size === 0 ? NONE : (entries.get(keyOf(job)) ?? NONE);
  return {
    refusal(job) {
      const { endsAlone, refusedUntil } = entryOf(job);
      const leftMs = refusedUntil - clock.monotonic();
      if (leftMs <= 0) return undefined;
      const minutes = Math.ceil(leftMs / 60_000);
      return `this check ended the thread that it alone ran in (times: ${endsAlone}); it is run again in ${minutes} min, or once it is changed`;
    },
    isSuspect: (job) => entryOf(job).ends >= SHARED_ENDS,
    threadEnded(job, wasAlone) {
      const key = keyOf(job);
      const before = entries.get(key) ?? NONE;
      const endsAlone = before.endsAlone + (wasAlone ? 1 : 0);
      const refusalMs = Math.min(FIRST_REFUSAL_MS * 2 ** (endsAlone - 1), LONGEST_REFUSAL_MS);
      entries.delete(key);
      entries.set(key, {
        ends: before.ends + 1,
        endsAlone,
        refusedUntil: wasAlone ? clock.monotonic() + refusalMs : before.refusedUntil,
      });
      const [oldest] = entries.keys();
      if (oldest !== undefined && entries.size > MOST_ENTRIES) entries.delete(oldest);
    },
    reported(job) {
      if (entryOf(job) !== NONE) entries.delete(keyOf(job));
    },
  };
}

const NONE: Entry = { ends: 0, endsAlone: 0, refusedUntil: -Infinity };

/** Check and revision: whoever changes a check may have mended it. */
function keyOf({ id }: Job): string {
  return id.split(".").slice(0, -2).join(".");
}
