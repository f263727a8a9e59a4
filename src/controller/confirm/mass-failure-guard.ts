import {
  MASS_FAILURE_SHARE,
  massFailureThreshold,
  MASS_FAILURE_WINDOW_MS,
} from "../../tracking/mass-failure-threshold.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Side } from "./location-visibility.ts";

/**
 * Detects many targets that fail at the same time from one location by the same path: its own network, such as a switch or its Internet access, is the likelier
 * cause. Their failures are held and rechecked. For public targets, a connectivity probe decides instead if there is one.
 */
export interface MassFailureGuard {
  /** Notes a run, and whether its target started to fail with it. */
  readonly record: (run: {
    readonly location: string;
    readonly side: Side;
    readonly target: string;
    readonly startedFailing: boolean;
  }) => void;
  readonly isTripped: (location: string, side: Side) => boolean;
}

/** Last time that each target was seen, and last start of a failure, oldest first. */
interface RecentTargets {
  readonly all: Map<string, number>;
  readonly startedFailing: Map<string, number>;
}

/** `part` is the fraction of all checks seen by this process; the threshold shrinks in proportion. */
export function createMassFailureGuard(
  clock: Pick<Clock, "monotonic">,
  part: () => number = () => 1,
): MassFailureGuard {
  const sides: Record<Side, Map<string, RecentTargets>> = { public: new Map(), private: new Map() };

  const put = (times: Map<string, number>, target: string): void => {
    // Deleted first, so that the map stays in the order of its times.
    times.delete(target);
    times.set(target, clock.monotonic());
  };
  const countRecent = (times: Map<string, number>): number => {
    const since = clock.monotonic() - MASS_FAILURE_WINDOW_MS;
    for (const [oldest, at] of times) {
      if (at > since) break;
      times.delete(oldest);
    }
    return times.size;
  };

  return {
    record({ location, side, target, startedFailing }) {
      const seen = sides[side].get(location) ?? { all: new Map(), startedFailing: new Map() };
      sides[side].set(location, seen);
      put(seen.all, target);
      if (startedFailing) put(seen.startedFailing, target);
      countRecent(seen.all);
    },
    isTripped(location, side) {
      const seen = sides[side].get(location);
      if (seen === undefined) return false;
      const failing = countRecent(seen.startedFailing);
      return (
        failing >= massFailureThreshold(part()) &&
        failing > countRecent(seen.all) * MASS_FAILURE_SHARE
      );
    },
  };
}
