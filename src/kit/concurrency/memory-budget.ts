import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createFairSemaphore, type FairSemaphore } from "./fair-semaphore.ts";
import { exceedsFairShare } from "./slot-counts.ts";

/** Memory for what many runs receive at once. An account has at most as much as it leaves for all others. */
export interface MemoryBudget {
  readonly open: (accountId: string) => MemoryReservation;
  /** Returns whether so many runs of the account wait for their first memory that no more should start. */
  readonly isCrowded: (accountId: string) => boolean;
}

export interface MemoryReservation {
  /** Enlarges the reservation to `bytes`. Returns a promise if it must wait, which rejects with Unavailable after the maximum wait. */
  readonly grow: (bytes: number) => Promise<void> | undefined;
  /** Time waited so far. */
  readonly waitedMs: () => number;
  /** Returns all of it, and waits no longer. */
  readonly release: () => void;
}

type Times = Pick<Clock, "monotonic" | "setTimer">;

interface Limits {
  readonly limitBytes: number;
  /** How many wait for their first, each with what it has received already. */
  readonly maxWaiting: number;
  /** Maximum wait for reservations that grow, because they hold memory that others wait for. First reservations wait until memory is released. */
  readonly maxWaitMs: number;
  /** Message of a refusal. */
  readonly refusal: string;
}

/** Share of waiting entries from which an account should start no more, regardless of others; started ones may still enter. */
const SHARE_OF_CROWD = 0.125;
/** Half of the memory is reserved for growing reservations, so that started work can finish. */
const SHARE_OF_FIRST = 0.5;

export function createMemoryBudget(clock: Times, limits: Limits): MemoryBudget {
  const { limitBytes, maxWaiting, maxWaitMs, refusal } = limits;
  const all = createFairSemaphore(clock, {
    slots: /* guard: memory of responses = Infinity */ limitBytes,
    maxWaitMs,
    refusal,
  });
  const first = createFairSemaphore(clock, {
    slots: limitBytes * SHARE_OF_FIRST,
    admits: all.tryAcquire,
    refusal,
  });
  const budget = { all, first, maxWaiting, refusal, clock };
  return {
    open: (accountId) => openLazily(() => openReservation(budget, accountId)),
    isCrowded: (accountId) => first.waiting(accountId) >= maxWaiting * SHARE_OF_CROWD,
  };
}

interface Budget extends Pick<Limits, "maxWaiting" | "refusal"> {
  readonly all: FairSemaphore;
  /** What reservations began with, which is also counted in `all`. */
  readonly first: FairSemaphore;
  readonly clock: Times;
}

/** Most runs receive too little to reserve anything, and a reservation takes 1 KB. */
function openLazily(open: () => MemoryReservation): MemoryReservation {
  let opened: MemoryReservation | undefined;
  let isReleased = false;
  return {
    grow(bytes) {
      if (isReleased) return undefined;
      opened ??= open();
      return opened.grow(bytes);
    },
    waitedMs: () => opened?.waitedMs() ?? 0,
    release() {
      isReleased = true;
      opened?.release();
    },
  };
}

function openReservation(
  { all, first, maxWaiting, refusal, clock: { monotonic } }: Budget,
  accountId: string,
): MemoryReservation {
  let ending: AbortController | undefined;
  let isReleased = false;
  let [own, ownFirst, waitedMs] = [0, 0, 0];
  let waitsSince: number | undefined;

  const endWait = (): void => {
    if (waitsSince !== undefined) waitedMs += monotonic() - waitsSince;
    waitsSince = undefined;
  };
  const keep = (bytes: number): void => {
    if (own === 0) ownFirst = bytes;
    own = bytes;
  };
  const returnAll = (): void => {
    all.release(accountId, own);
    first.release(accountId, ownFirst);
    [own, ownFirst] = [0, 0];
  };
  const wait = async (semaphore: FairSemaphore, bytes: number): Promise<void> => {
    waitsSince = monotonic();
    ending = new AbortController();
    try {
      await semaphore.acquire(accountId, { slots: bytes - own, signal: ending.signal });
    } catch (error) {
      // What was released waits no longer, and nobody is told.
      if (isReleased) return await new Promise<void>(() => {});
      throw error;
    } finally {
      endWait();
    }
    keep(bytes);
    if (isReleased) returnAll();
  };

  return {
    grow(bytes) {
      if (bytes <= own) return undefined;
      const isFirst = own === 0;
      const semaphore = isFirst ? first : all;
      if (semaphore.tryAcquire(accountId, bytes - own)) {
        keep(bytes);
        return undefined;
      }
      // guard: runs that wait for memory = else
      return isFirst && exceedsFairShare(first.waiting(accountId), first.waiting(), maxWaiting)
        ? Promise.reject(new Unavailable(refusal))
        : wait(semaphore, bytes);
    },
    waitedMs: () => waitedMs + (waitsSince === undefined ? 0 : monotonic() - waitsSince),
    release() {
      isReleased = true;
      endWait();
      ending?.abort();
      if (own > 0) returnAll();
    },
  };
}
