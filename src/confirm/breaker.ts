import type { Clock } from "../kit/clock.ts";

/**
 * When many distinct public targets of one location fail at the same time, our own way out is the likelier culprit. Then their
 * failures wait for a second look. For locations without witnesses, which would tell.
 */
export interface Breaker {
  /** Notes a run against a public target, and whether it turned from passing to failing. */
  readonly note: (run: {
    readonly location: string;
    readonly target: string;
    readonly turned: boolean;
  }) => void;
  readonly isTripped: (location: string) => boolean;
}

const WINDOW_MS = 60_000;
const TRIPS_AT_TARGETS = 5;
const TRIPS_AT_SHARE = 0.5;

interface Seen {
  at: number;
  turnedAt: number | undefined;
}

export function createBreaker(clock: Pick<Clock, "monotonic">): Breaker {
  const locations = new Map<string, Map<string, Seen>>();

  return {
    note({ location, target, turned }) {
      const targets = locations.get(location) ?? new Map<string, Seen>();
      locations.set(location, targets);
      const at = clock.monotonic();
      const turnedAt = turned ? at : targets.get(target)?.turnedAt;
      // Deleted first, so that the map stays in the order in which targets were last seen.
      targets.delete(target);
      targets.set(target, { at, turnedAt });
      for (const [oldest, seen] of targets) {
        if (at - seen.at < WINDOW_MS) break;
        targets.delete(oldest);
      }
    },
    isTripped(location) {
      const since = clock.monotonic() - WINDOW_MS;
      const seen = [...(locations.get(location)?.values() ?? [])].filter(({ at }) => at > since);
      const turned = seen.filter(
        ({ turnedAt }) => turnedAt !== undefined && turnedAt > since,
      ).length;
      return turned >= TRIPS_AT_TARGETS && turned > seen.length * TRIPS_AT_SHARE;
    },
  };
}
