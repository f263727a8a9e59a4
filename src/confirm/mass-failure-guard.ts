import { MASS_SHARE, massOf, MASS_WINDOW_MS } from "../active-checks/mass-bounds.ts";
import type { Clock } from "../kit/clock.ts";

/**
 * When many distinct public targets of one location fail at the same time, the location's own network is the likelier cause. Then their
 * failures are held and checked again. For locations without a connectivity probe, which would decide it.
 */
export interface MassFailureGuard {
  /** Notes a run against a public target, and whether the target started to fail with it. */
  readonly record: (run: {
    readonly location: string;
    readonly target: string;
    readonly startedFailing: boolean;
  }) => void;
  readonly isTripped: (location: string) => boolean;
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
  const locations = new Map<string, RecentTargets>();

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
    record({ location, target, startedFailing }) {
      const seen = locations.get(location) ?? { all: new Map(), startedFailing: new Map() };
      locations.set(location, seen);
      put(seen.all, target);
      if (startedFailing) put(seen.startedFailing, target);
      countRecent(seen.all);
    },
    isTripped(location) {
      const seen = locations.get(location);
      if (seen === undefined) return false;
      const failing = countRecent(seen.startedFailing);
      return failing >= massOf(part()) && failing > countRecent(seen.all) * MASS_SHARE;
    },
  };
}
