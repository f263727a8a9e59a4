import { MASS_SHARE, massOf, MASS_WINDOW_MS } from "../../tracking/mass-bounds.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Side } from "./location-sight.ts";

/**
 * When many distinct targets that one location reaches by the same way fail at the same time, its own network, such as a switch or its
 * Internet access, is the likelier cause. Then their failures are held and checked again. For public targets a connectivity probe, where
 * there is one, decides it instead.
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

/** When each target was last seen, and last seen to start failing; the longest ago first. */
interface RecentTargets {
  readonly all: Map<string, number>;
  readonly startedFailing: Map<string, number>;
}

/** Where `part` of all checks is seen here, so many fewer targets are enough. */
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
    const since = clock.monotonic() - MASS_WINDOW_MS;
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
      return failing >= massOf(part()) && failing > countRecent(seen.all) * MASS_SHARE;
    },
  };
}
