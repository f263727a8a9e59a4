import type { Clock } from "../../../kit/clock.ts";
import type { ControllerRow } from "./controller-rows.ts";

/** Finds out whose lease has expired, by no other clock than its own monotonic one. */
export interface BeatObserver {
  /** Takes what was read just now; gives those whose beat has stood still for long enough. */
  readonly read: (controllers: readonly ControllerRow[]) => readonly ControllerRow[];
  /** The rows could not be read: whoever renews them may not have been able to either. */
  readonly failed: () => void;
}

/** A beat that was read equal so often, */
const EQUAL_READS = 5;
/** so far apart, is that of nobody: an owner stops 3.3 s after its last. */
const APART_MS = 1000;
/** Timers may fire that much early. */
const EARLY_MS = 5;

interface Seen {
  readonly beat: number;
  readonly equal: number;
  readonly at: number;
}

export function createBeatObserver(clock: Pick<Clock, "monotonic">): BeatObserver {
  let seen = new Map<string, Seen>();
  return {
    read(controllers) {
      const now = clock.monotonic();
      const next = (row: ControllerRow): Seen => {
        const before = seen.get(row.id);
        if (before?.beat !== row.beat) return { beat: row.beat, equal: 0, at: now };
        if (now - before.at < APART_MS - EARLY_MS) return before;
        return { ...before, equal: before.equal + 1, at: now };
      };
      seen = new Map(controllers.map((row) => [row.id, next(row)]));
      return controllers.filter(({ id }) => (seen.get(id)?.equal ?? 0) >= EQUAL_READS);
    },
    failed: () => seen.clear(),
  };
}
