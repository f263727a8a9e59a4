import { MAX_ADDRESS_WAIT_MS } from "../bus/bus.ts";
import type { Clock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";
import { createHostLimiter, type HostLimits } from "../kit/concurrency/host-limiter.ts";
import {
  createFairSemaphore,
  type FairSemaphore,
  type Wait,
} from "../kit/concurrency/fair-semaphore.ts";
import { networkOf } from "../kit/net/egress.ts";
import { memoize } from "../kit/net/memoize.ts";

/** Returns one thread's fraction of the limits, because threads do not share state. */
export function partOf(
  { maxRunsAtOnce, maxStartsPerSecond }: HostLimits,
  threads: number,
): HostLimits {
  return {
    maxRunsAtOnce: Math.ceil(maxRunsAtOnce / threads),
    maxStartsPerSecond: Math.ceil(maxStartsPerSecond / threads),
  };
}

/** The slots of runs at the addresses that they dial. An account has as many as it leaves for all others; those who wait take turns. */
export interface AddressSlots {
  readonly forRun: (accountId: string) => RunAddresses;
}

/** Addresses used by a run. */
export interface RunAddresses {
  /** Undefined if the run may dial the address now; otherwise resolves once it may, and rejects with Unavailable if that takes too long. */
  readonly admit: (address: string) => Promise<void> | undefined;
  /** Time that the run has waited so far. */
  readonly waitedMs: () => number;
  /** Reason why it stopped waiting; undefined unless it had to give up. */
  readonly refusal: () => string | undefined;
  /** Ends the run, with its slots and its waits. */
  readonly free: () => void;
}

/** Slots become free with time, as the rate of a host allows more. */
const LOOK_INTERVAL_MS = 50;

type Times = Pick<Clock, "monotonic" | "setTimer">;

export function createAddressSlots(limits: HostLimits, clock: Times): AddressSlots {
  const slots = createSlotsByAddress(limits, clock);
  const keyOf = memoize(networkOf);
  return {
    forRun(accountId) {
      // Few runs dial more than one address, and almost none wait: a Set would cost more than everything else here.
      const taken: string[] = [];
      let ending: AbortController | undefined;
      let waiting = 0;
      let waitedMs = 0;
      let waitingSince = 0;
      let refusal: string | undefined;
      let isOver = false;
      const waited = (): number =>
        waiting === 0 ? waitedMs : waitedMs + clock.monotonic() - waitingSince;
      const freeAll = (): void => {
        for (const key of taken.splice(0)) slots.free(key, accountId);
      };
      const waitFor = async (address: string, key: string): Promise<void> => {
        ending ??= new AbortController();
        const maxWaitMs = Math.max(0, MAX_ADDRESS_WAIT_MS - waited());
        if (waiting === 0) waitingSince = clock.monotonic();
        waiting += 1;
        try {
          await slots.wait(key, accountId, { maxWaitMs, signal: ending.signal });
          taken.push(key);
          // It may have ended since the slot was granted.
          if (isOver) freeAll();
        } catch {
          refusal ??= `too many runs at a time go to ${address}, and no place there became free`;
          throw new Unavailable(refusal);
        } finally {
          waitedMs = waiting === 1 ? waited() : waitedMs;
          waiting -= 1;
        }
      };
      return {
        admit(address) {
          const key = keyOf(address);
          if (taken.includes(key)) return undefined;
          if (isOver) return Promise.reject(new Unavailable("the run is over"));
          if (!slots.take(key, accountId)) return waitFor(address, key);
          taken.push(key);
          return undefined;
        },
        waitedMs: waited,
        refusal: () => refusal,
        free() {
          isOver = true;
          ending?.abort();
          freeAll();
        },
      };
    },
  };
}

interface SlotsByAddress {
  /** Takes a slot where one is free and none is waited for. */
  readonly take: (key: string, accountId: string) => boolean;
  /** Resolves once a slot is taken. */
  readonly wait: (key: string, accountId: string, wait: Wait) => Promise<void>;
  readonly free: (key: string, accountId: string) => void;
}

function createSlotsByAddress(limits: HostLimits, clock: Times): SlotsByAddress {
  const hosts = createHostLimiter(limits, clock);
  /** Only of addresses that are waited for. */
  const semaphores = new Map<string, FairSemaphore>();
  const take = (key: string, accountId: string): boolean => {
    if (hosts.holdOf(key, accountId) !== undefined) return false;
    hosts.start(key, accountId);
    return true;
  };
  const semaphoreOf = (key: string): FairSemaphore => {
    const known = semaphores.get(key);
    if (known !== undefined) return known;
    const semaphore = createFairSemaphore(clock, {
      slots: Infinity,
      isShared: false,
      admits: (accountId) => take(key, accountId),
      recheckMs: LOOK_INTERVAL_MS,
    });
    semaphores.set(key, semaphore);
    return semaphore;
  };
  return {
    take: (key, accountId) => !semaphores.has(key) && take(key, accountId),
    async wait(key, accountId, wait) {
      const semaphore = semaphoreOf(key);
      try {
        await semaphore.acquire(accountId, wait);
      } finally {
        if (semaphore.waiting() === 0 && semaphores.get(key) === semaphore) semaphores.delete(key);
      }
    },
    free(key, accountId) {
      hosts.end(key, accountId);
      semaphores.get(key)?.advance();
    },
  };
}
