import type { Clock } from "../../../kit/clock.ts";
import type { ControllerRow } from "./controller-rows.ts";

/** A beat has stopped after this many equal reads, */
const EQUAL_READS = 5;
/** this far apart, */
const APART_MS = 1000;
/** and this long after the lease ended that was renewed before the first of them. */
const AFTER_END_MS = 1700;
/** Timers may fire that much early. */
const EARLY_MS = 5;

interface Seen {
  readonly beat: number;
  readonly equal: number;
  /** First time and last counted time of reading it, on the monotonic clock. */
  readonly from: number;
  readonly at: number;
}

/** Finds out whose lease has expired, by no other clock than its own monotonic one. */
export function createBeatObserver(clock: Pick<Clock, "monotonic">) {
  let seen = new Map<string, Seen>();
  return {
    /** Processes the latest rows and returns controllers whose beat has stalled for long enough. */
    read(controllers: readonly ControllerRow[]): readonly ControllerRow[] {
      const now = clock.monotonic();
      const next = (row: ControllerRow): Seen => {
        const before = seen.get(row.id);
        if (before?.beat !== row.beat) return { beat: row.beat, equal: 0, from: now, at: now };
        if (now - before.at < APART_MS - EARLY_MS) return before;
        return { ...before, equal: before.equal + 1, at: now };
      };
      seen = new Map(controllers.map((row) => [row.id, next(row)]));
      return controllers.filter(({ id, held_ms }) => {
        const { equal = 0, from = now } = seen.get(id) ?? {};
        return (
          equal >= EQUAL_READS && now - from >= held_ms + AFTER_END_MS - EQUAL_READS * EARLY_MS
        );
      });
    },
    /** Records a failed read: the controllers may have been unable to renew too. */
    failed: (): void => seen.clear(),
  };
}
