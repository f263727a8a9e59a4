import type { Clock } from "../kit/clock.ts";

/**
 * When many distinct public targets of one location fail at the same time, our own way out is the likelier culprit. Then their
 * failures wait for a second look. For locations without witnesses, which would tell.
 */
export interface MassFailureGuard {
  /** Notes a run against a public target, and whether it turned from passing to failing. */
  readonly record: (run: {
    readonly location: string;
    readonly target: string;
    readonly turned: boolean;
  }) => void;
  readonly isTripped: (location: string) => boolean;
}

const WINDOW_MS = 60_000;
const TRIPS_AT_TARGETS = 5;
const TRIPS_AT_SHARE = 0.5;

/** When each target was last seen, and last seen to turn, the longest ago first. */
interface Seen {
  readonly all: Map<string, number>;
  readonly turned: Map<string, number>;
}

export function createMassFailureGuard(clock: Pick<Clock, "monotonic">): MassFailureGuard {
  const locations = new Map<string, Seen>();

  const put = (times: Map<string, number>, target: string): void => {
    // Deleted first, so that the map stays in the order of its times.
    times.delete(target);
    times.set(target, clock.monotonic());
  };
  const countRecent = (times: Map<string, number>): number => {
    const since = clock.monotonic() - WINDOW_MS;
    for (const [oldest, at] of times) {
      if (at > since) break;
      times.delete(oldest);
    }
    return times.size;
  };

  return {
    record({ location, target, turned }) {
      const seen = locations.get(location) ?? { all: new Map(), turned: new Map() };
      locations.set(location, seen);
      put(seen.all, target);
      if (turned) put(seen.turned, target);
      countRecent(seen.all);
    },
    isTripped(location) {
      const seen = locations.get(location);
      if (seen === undefined) return false;
      const turned = countRecent(seen.turned);
      return turned >= TRIPS_AT_TARGETS && turned > countRecent(seen.all) * TRIPS_AT_SHARE;
    },
  };
}
