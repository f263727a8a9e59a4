import type { Clock } from "../clock.ts";

/** What recent work is counted under, and how much of it weighs. */
export interface CountedKey {
  readonly key: string;
  readonly weight: number;
}

/** How much work each key has asked for lately: half of it is forgotten every ten minutes. */
export interface RecentCosts {
  readonly of: (counted: readonly CountedKey[]) => number;
  /** Adds one piece of work to each key, once. */
  readonly charge: (counted: readonly CountedKey[]) => void;
}

interface Cost {
  readonly amount: number;
  readonly at: number;
}

const HALF_LIFE_MS = 600_000;
/** More networks than one attack has; of more, those that asked longest ago are forgotten. */
const MOST_KEYS = 20_000;
/** Rounding keeps the order of arrival among those with equally much. */
const PRECISION = 16;

export function createRecentCosts({ monotonic }: Pick<Clock, "monotonic">): RecentCosts {
  const costs = new Map<string, Cost>();
  const amountOf = (key: string, now: number): number => {
    const known = costs.get(key);
    return known === undefined ? 0 : known.amount * 2 ** ((known.at - now) / HALF_LIFE_MS);
  };
  return {
    of(counted) {
      const now = monotonic();
      const sum = counted.reduce((all, { key, weight }) => all + weight * amountOf(key, now), 0);
      return Math.round(sum * PRECISION) / PRECISION;
    },
    charge(counted) {
      const at = monotonic();
      for (const key of new Set(counted.map((each) => each.key))) {
        const amount = amountOf(key, at) + 1;
        costs.delete(key);
        costs.set(key, { amount, at });
      }
      for (const key of costs.keys()) {
        if (costs.size <= MOST_KEYS) break;
        costs.delete(key);
      }
    },
  };
}
