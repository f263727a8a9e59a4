import type { Clock, Timer } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createRoundRobinQueue } from "./round-robin-queue.ts";
import { exceedsFairShare } from "./slot-counts.ts";

/** Limits how much is done at once. Keys that wait take turns, each in order, and no key takes more slots than it leaves for all others. */
export interface FairSemaphore {
  /** Takes slots at once, before all that wait; false where the key may not have them now. */
  readonly tryAcquire: (key: string, slots?: number) => boolean;
  /** Resolves once the slots are taken, in the key's turn. Rejects with Unavailable if that takes too long, too many wait, or the signal aborts. */
  readonly acquire: (key: string, wait?: Wait) => Promise<void>;
  readonly release: (key: string, slots?: number) => void;
  /** Holds a slot while the work is in progress. */
  readonly run: <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;
  /** Grants what can be granted now: to be called when something changed that `slots` or `admits` depends on. */
  readonly advance: () => void;
  /** How many wait, in all or of one key. */
  readonly waiting: (key?: string) => number;
}

export interface Wait {
  readonly slots?: number;
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal;
}

interface Limits {
  readonly slots: number | (() => number);
  /** False where one key may have all slots. */
  readonly isShared?: boolean;
  /** True where slots are free again in the next turn of the event loop, so that they limit how much begins in one. */
  readonly isPerTurn?: boolean;
  /** A further condition, which is asked last: what is admitted has its slots. */
  readonly admits?: (key: string, slots: number) => boolean;
  /** Milliseconds after which those that wait are looked at again, where `admits` changes with time. */
  readonly recheckMs?: number;
  /** Of one key; more are refused. */
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /** Message of a refusal. */
  readonly refusal?: string;
}

interface Waiter {
  readonly slots: number;
  readonly grant: () => void;
}

const GRANTED = Promise.resolve();

export function createFairSemaphore(clock: Pick<Clock, "setTimer">, limits: Limits): FairSemaphore {
  const { isPerTurn = false, admits } = limits;
  const { maxWaiting = Infinity, refusal = "no slot became free in time" } = limits;
  const queue = createRoundRobinQueue<Waiter>();
  const pool = createPool(limits);
  const recheck = createRecheck(clock, limits, () => advance());
  let isTurnDue = false;

  const tryAcquire = (key: string, slots = 1): boolean => {
    if (!pool.hasRoom(key, slots) || admits?.(key, slots) === false) return false;
    pool.change(key, slots);
    if (isPerTurn && !isTurnDue) {
      isTurnDue = true;
      setImmediate(beginTurn);
    }
    return true;
  };
  const beginTurn = (): void => {
    isTurnDue = false;
    pool.clear();
    advance();
  };
  const mayTake = ([key = ""]: readonly string[], waiter: Waiter | undefined): boolean =>
    waiter === undefined || tryAcquire(key, waiter.slots);
  const advance = (): void => {
    while (queue.size() > 0 && !pool.isFull()) {
      const waiter = queue.take(mayTake);
      if (waiter === undefined) break;
      waiter.grant();
    }
    recheck(queue.size() > 0);
  };
  const acquire = (key: string, wait: Wait = {}): Promise<void> => {
    const { slots = 1, signal, maxWaitMs = limits.maxWaitMs } = wait;
    if (signal?.aborted !== true && queue.size() === 0 && tryAcquire(key, slots)) return GRANTED;
    if (signal?.aborted === true || queue.sizeOf([key]) >= maxWaiting)
      return Promise.reject(new Unavailable(refusal));
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer?.cancel();
        signal?.removeEventListener("abort", refuse);
      };
      const refuse = (): void => {
        end();
        queue.remove([key], waiter);
        reject(new Unavailable(refusal));
        advance();
      };
      const waiter: Waiter = {
        slots,
        grant: () => resolve(end()),
      };
      const timer = maxWaitMs === undefined ? undefined : clock.setTimer(refuse, maxWaitMs);
      signal?.addEventListener("abort", refuse, { once: true });
      queue.add([key], waiter);
      advance();
    });
  };
  const release = (key: string, slots = 1): void => {
    pool.change(key, -slots);
    advance();
  };

  return {
    tryAcquire,
    acquire,
    release,
    advance,
    waiting: (key) => (key === undefined ? queue.size() : queue.sizeOf([key])),
    async run(key, work) {
      await acquire(key);
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}

/** Calls back after each interval, as long as it is said to be needed. */
function createRecheck(
  { setTimer }: Pick<Clock, "setTimer">,
  { recheckMs }: Pick<Limits, "recheckMs">,
  callback: () => void,
): (isNeeded: boolean) => void {
  let timer: Timer | undefined;
  const end = (): void => {
    timer = undefined;
    callback();
  };
  return (isNeeded) => {
    if (isNeeded && recheckMs !== undefined) {
      timer ??= setTimer(end, recheckMs);
    } else {
      timer?.cancel();
      timer = undefined;
    }
  };
}

/** The slots that are taken, in all and by each key. */
interface Pool {
  readonly isFull: () => boolean;
  readonly hasRoom: (key: string, slots: number) => boolean;
  readonly change: (key: string, by: number) => void;
  readonly clear: () => void;
}

function createPool({ slots: most, isShared = true }: Pick<Limits, "slots" | "isShared">): Pool {
  const slotsNow = typeof most === "number" ? () => most : most;
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    isFull: () => taken >= slotsNow(),
    hasRoom: (key, slots) =>
      // guard: slots of a semaphore by key = else
      isShared
        ? !exceedsFairShare(takenBy.get(key) ?? 0, taken, slotsNow(), slots)
        : taken + slots <= slotsNow(),
    change(key, by) {
      taken += by;
      if (!isShared) return;
      const own = (takenBy.get(key) ?? 0) + by;
      if (own === 0) takenBy.delete(key);
      else takenBy.set(key, own);
    },
    clear() {
      taken = 0;
      takenBy.clear();
    },
  };
}
