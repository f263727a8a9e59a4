import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";

/** A lane for those who have shown as much, while their own recent work is little. */
export interface Standing {
  /** Lower lanes go first. */
  readonly lane: number;
  readonly counted: readonly CountedKey[];
  /** Maximum recent cost; beyond it, the next standing applies. */
  readonly maxCost: number;
}

/** Asker of work, as standings to try in order. The last one always counts. */
export type Asker = readonly [...Standing[], Standing];

/**
 * Lets few pieces of expensive work run at a time. Of those that wait, the lowest lane goes first; within a lane, who had the least work lately;
 * of equals the newest, so that a flood delays those who came before it, and not those who come next. No FairSemaphore: a flood from many networks
 * would have as many turns as it has networks.
 */
export interface CostlyWork {
  /** Rejects with Unavailable where too many with a better standing wait, or come meanwhile. */
  readonly run: <Value>(asker: Asker, work: () => Promise<Value>) => Promise<Value>;
}

/** The lanes, the first of them first. */
export const LANE = { known: 0, address: 1, stranger: 2 } as const;

interface Limits {
  readonly most: number;
  /** Maximum work of strangers at a time, lower so that nobody else waits for theirs to end. */
  readonly maxOfStrangers: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Message of a refusal. */
  readonly refusal: string;
}

interface Waiter {
  readonly lane: number;
  readonly cost: number;
  readonly number: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

export function createCostlyWork(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  { most, maxOfStrangers, maxWaiting, maxWaitMs, refusal }: Limits,
): CostlyWork {
  const costs = createRecentCosts(clock);
  const waiting = new Set<Waiter>();
  const running = { all: 0, strangers: 0 };
  let number = 0;

  const standingOf = (asker: Asker): Pick<Waiter, "lane" | "cost"> => {
    for (const { lane, counted, maxCost } of asker.slice(0, -1)) {
      const cost = costs.of(counted);
      if (cost <= maxCost) return { lane, cost };
    }
    const last = asker.at(-1);
    return { lane: last?.lane ?? 0, cost: costs.of(last?.counted ?? []) };
  };
  const count = ({ lane }: Pick<Waiter, "lane">, by: number): void => {
    running.all += by;
    if (lane === LANE.stranger) running.strangers += by;
  };
  const advance = (): void => {
    while (running.all < most) {
      const next = extreme(waiting, goesBefore);
      if (next === undefined) return;
      // The last lane comes last, so nobody else waits.
      if (
        next.lane === LANE.stranger &&
        /* guard: a place that strangers leave = false */ running.strangers >= maxOfStrangers
      )
        return;
      count(next, 1);
      next.begin();
    }
  };
  /** Resolves to the one that has begun. */
  const enter = (asker: Asker): Promise<Pick<Waiter, "lane">> => {
    const { promise, resolve, reject } = Promise.withResolvers<Pick<Waiter, "lane">>();
    const leave = (): void => {
      timer.cancel();
      waiting.delete(waiter);
    };
    const waiter: Waiter = {
      ...standingOf(asker),
      number: (number += 1),
      begin() {
        leave();
        resolve(waiter);
      },
      refuse() {
        leave();
        reject(new Unavailable(refusal));
      },
    };
    const timer = clock.setTimer(waiter.refuse, maxWaitMs);
    costs.charge(asker.flatMap(({ counted }) => counted));
    waiting.add(waiter);
    advance();
    // guard: passwords that wait
    if (waiting.size > maxWaiting)
      extreme(waiting, (one, other) => goesBefore(other, one))?.refuse();
    return promise;
  };

  return {
    async run(asker, work) {
      const begun = await enter(asker);
      try {
        return await work();
      } finally {
        count(begun, -1);
        advance();
      }
    },
  };
}

function goesBefore(one: Waiter, other: Waiter): boolean {
  // guard: lanes of passwords
  if (one.lane !== other.lane) return one.lane < other.lane;
  // guard: order of strangers
  if (one.cost !== other.cost) return one.cost < other.cost;
  return one.number > other.number;
}

function extreme(
  waiting: Iterable<Waiter>,
  isBetter: (one: Waiter, other: Waiter) => boolean,
): Waiter | undefined {
  let best: Waiter | undefined;
  for (const waiter of waiting) if (best === undefined || isBetter(waiter, best)) best = waiter;
  return best;
}

/** Key under which recent work is counted, and its weight. */
interface CountedKey {
  readonly key: string;
  readonly weight: number;
}

/** Recent work of each key, halved every ten minutes. */
interface RecentCosts {
  readonly of: (counted: readonly CountedKey[]) => number;
  /** Adds one piece of work to each key, once. */
  readonly charge: (counted: readonly CountedKey[]) => void;
}

interface Cost {
  readonly amount: number;
  readonly at: number;
}

const HALF_LIFE_MS = 600_000;

/** Above the number of networks in an attack; beyond it, the least recent are forgotten. */
const MAX_KEYS = 20_000;

/** Rounding keeps the order of arrival among those with equally much. */
const PRECISION = 16;

function createRecentCosts({ monotonic }: Pick<Clock, "monotonic">): RecentCosts {
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
        if (costs.size <= MAX_KEYS) break;
        costs.delete(key);
      }
    },
  };
}
