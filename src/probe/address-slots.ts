import { MOST_ADDRESS_WAIT_MS } from "../bus/bus.ts";
import type { Clock, Timer } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";
import { createHostLimiter, type HostLimits } from "../kit/concurrency/host-limiter.ts";
import {
  createRoundRobinQueue,
  type RoundRobinQueue,
} from "../kit/concurrency/round-robin-queue.ts";
import { networkOf } from "../kit/net/egress.ts";
import { remembering } from "../kit/net/remembering.ts";

/** What one of so many threads allows, which know nothing of each other. */
export function partOf({ mostRuns, mostStartsASecond }: HostLimits, threads: number): HostLimits {
  return {
    mostRuns: Math.ceil(mostRuns / threads),
    mostStartsASecond: Math.ceil(mostStartsASecond / threads),
  };
}

/** The slots of runs at the addresses that they dial. An account has as many as it leaves for all others; those who wait take turns. */
export interface AddressSlots {
  readonly forRun: (accountId: string) => RunAddresses;
}

/** What a run has of them. */
export interface RunAddresses {
  /** Undefined where the run may dial the address now; else resolves once it may, and rejects with Unavailable where that is not soon enough. */
  readonly admit: (address: string) => Promise<void> | undefined;
  /** How long the run has waited so far. */
  readonly waitedMs: () => number;
  /** Why it waits no more; undefined unless it had to give up. */
  readonly refusal: () => string | undefined;
  /** Ends the run, with its slots and its waits. */
  readonly free: () => void;
}

interface Waiter {
  readonly begin: () => void;
}

/** Places that become free with time are looked for so often. */
const LOOK_EVERY_MS = 50;

type Times = Pick<Clock, "monotonic" | "setTimer">;

export function createAddressSlots(limits: HostLimits, clock: Times): AddressSlots {
  const queue = createAddressQueue(limits, clock);
  const keyOf = remembering(networkOf);
  return {
    forRun(accountId) {
      // Few dial more than one address, and nearly none waits: a Set would cost more than all else here.
      const taken: string[] = [];
      let waits: Set<() => void> | undefined;
      let waitedMs = 0;
      let waitingSince: number | undefined;
      let refusal: string | undefined;
      let isOver = false;
      const waited = (): number =>
        waitedMs + (waitingSince === undefined ? 0 : clock.monotonic() - waitingSince);
      const waitFor = async (address: string, key: string): Promise<void> => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const giveUp = (): void => {
          queue.remove(key, accountId, waiter);
          refusal ??= `too many runs at a time go to ${address}, and no place there became free`;
          reject(new Unavailable(refusal));
        };
        const timer = clock.setTimer(giveUp, Math.max(0, MOST_ADDRESS_WAIT_MS - waited()));
        const waiter: Waiter = {
          begin() {
            taken.push(key);
            resolve();
          },
        };
        const ofRun = (waits ??= new Set());
        ofRun.add(giveUp);
        waitingSince ??= clock.monotonic();
        queue.add(key, accountId, waiter);
        try {
          await promise;
        } finally {
          timer.cancel();
          ofRun.delete(giveUp);
          if (ofRun.size === 0) {
            waitedMs = waited();
            waitingSince = undefined;
          }
        }
      };
      return {
        admit(address) {
          const key = keyOf(address);
          if (taken.includes(key)) return undefined;
          if (isOver) return Promise.reject(new Unavailable("the run is over"));
          if (!queue.take(key, accountId)) return waitFor(address, key);
          taken.push(key);
          return undefined;
        },
        waitedMs: waited,
        refusal: () => refusal,
        free() {
          isOver = true;
          for (const giveUp of waits ?? []) giveUp();
          for (const key of taken.splice(0)) queue.free(key, accountId);
        },
      };
    },
  };
}

interface AddressQueue {
  /** Takes a slot where one is free and nobody waits for it. */
  readonly take: (key: string, accountId: string) => boolean;
  readonly free: (key: string, accountId: string) => void;
  /** Waits for a slot, which is taken when the waiter begins. */
  readonly add: (key: string, accountId: string, waiter: Waiter) => void;
  readonly remove: (key: string, accountId: string, waiter: Waiter) => void;
}

function createAddressQueue(limits: HostLimits, clock: Times): AddressQueue {
  const limiter = createHostLimiter(limits, clock);
  const waiting = new Map<string, RoundRobinQueue<Waiter>>();
  let timer: Timer | undefined;

  const mayTake = (key: string, accountId: string): boolean =>
    limiter.holdOf(key, accountId) === undefined;
  const advance = (key: string): void => {
    const turns = waiting.get(key);
    if (turns === undefined) return;
    for (;;) {
      let accountId = "";
      const waiter = turns.take(([id = ""]) => {
        accountId = id;
        return mayTake(key, id);
      });
      if (waiter === undefined) break;
      limiter.start(key, accountId);
      waiter.begin();
    }
    if (turns.size() === 0) waiting.delete(key);
  };
  const look = (): void => {
    timer = undefined;
    for (const key of waiting.keys()) advance(key);
    if (waiting.size > 0) timer = clock.setTimer(look, LOOK_EVERY_MS);
  };

  return {
    take(key, accountId) {
      if (waiting.has(key) || !mayTake(key, accountId)) return false;
      limiter.start(key, accountId);
      return true;
    },
    free(key, accountId) {
      limiter.end(key, accountId);
      advance(key);
    },
    add(key, accountId, waiter) {
      const turns = waiting.get(key) ?? createRoundRobinQueue<Waiter>();
      waiting.set(key, turns);
      turns.add([accountId], waiter);
      advance(key);
      if (waiting.size > 0) timer ??= clock.setTimer(look, LOOK_EVERY_MS);
    },
    remove(key, accountId, waiter) {
      const turns = waiting.get(key);
      turns?.remove([accountId], waiter);
      if (turns?.size() === 0) waiting.delete(key);
    },
  };
}
