import type { Clock, Timer } from "../kit/clock.ts";
import type { Alert } from "../domain/alert/alert.ts";
import { createSlotCounts, type SharedKeys } from "../kit/concurrency/slot-counts.ts";
import type { AlertQueueKey } from "../store/tables/alerts.ts";
import { createDestination, type AttemptEffect, type Destination } from "./sending/destination.ts";

/** The right of a message to be claimed and sent. */
export interface SendSlot {
  /** Waits for its turn: false if that does not come in time, or attempts have stopped. */
  readonly begin: (maxWaitMs?: number) => Promise<boolean>;
  /** Releases the slot, with the result of its attempt if there was one. */
  readonly free: (effect?: AttemptEffect) => void;
  /** Whether the last attempts of its account found the destination away. */
  readonly isAway: () => boolean;
}

/** Its slots are of the share of its primary account. */
export type SharedQueue = AlertQueueKey & Pick<Alert, "primaryId">;

/**
 * How many messages are claimed and sent at a time. Every kind of address has as many as the others. An account has as many of
 * a kind as are left for all others, so that there are always some for whoever comes next; a destination, what it can take.
 * Attempts that have no response soon have slots apart, so that receivers that hang leave those to messages that do not.
 */
export interface SendSlots {
  /** Claims a slot; undefined if none is free. */
  readonly claim: (queue: SharedQueue) => SendSlot | undefined;
  /** While its destination is away: how long a message waits at least for a slot; otherwise 0. */
  readonly msUntilProbe: (queue: SharedQueue) => number;
  readonly isAway: (queue: SharedQueue) => boolean;
  /** Takes a slot for a message that is already claimed, or whose claim waits for its turn. */
  readonly take: (queue: SharedQueue) => SendSlot;
  /** The order in which queues had a slot last; 0 of one that had none lately. */
  readonly lastServed: (queue: AlertQueueKey) => number;
  /** No attempt begins any more. */
  readonly close: () => void;
}

const MAX_CLAIMED_PER_KIND = 256;
/** Time after which an attempt without a response counts as slow. */
const SLOW_MS = 2000;
/** Maximum slow attempts of all kinds. */
const MAX_SLOW = 512;
/** Maximum destinations and queues remembered. */
const MAX_KEPT = 10_000;

/** The queue of the mails that the installation itself sends. */
export const systemMails: SharedQueue = { accountId: "", primaryId: "", destination: "email" };

/** `random` is 0 to 1; it spreads the probes of destinations that are away. */
export function createSendSlots(clock: Clock, random = Math.random): SendSlots {
  const destinations = new Map<string, Destination>();
  const claimed = createSlotCounts();
  const served = createServedOrder();
  const waits = new Set<AbortController>();
  let isClosed = false;

  const destinationOf = ({ destination: key }: AlertQueueKey): Destination => {
    const destination = destinations.get(key) ?? createDestination(clock, random);
    destinations.delete(key);
    destinations.set(key, destination);
    removeOldest(destinations, (oldest) => claimed.countOf(oldest) === 0);
    return destination;
  };
  const take = (queue: SharedQueue): SendSlot => {
    const destination = destinationOf(queue);
    let shared = sharedKeysOf(queue);
    claimed.change([...shared, queue.destination], 1);
    served.record(queue);
    let isRunning = false;
    let isFree = false;
    let wait: AbortController | undefined;
    let slowTimer: Timer | undefined;
    const countAsSlow = (): void => {
      const slow = slowKeysOf(queue);
      if (isFree || claimed.exceedsFairShare(slow, MAX_SLOW)) return;
      claimed.change(shared, -1);
      claimed.change(slow, 1);
      shared = slow;
    };
    const waitForTurn = async (maxWaitMs: number | undefined): Promise<boolean> => {
      wait = new AbortController();
      waits.add(wait);
      const { signal } = wait;
      const isGranted = await destination.enter(queue.primaryId, { maxWaitMs, signal });
      waits.delete(wait);
      // It may have been given up since it was granted.
      if (isGranted && isFree) destination.leave(queue.primaryId);
      return isGranted && !isFree;
    };
    return {
      async begin(maxWaitMs) {
        if (isClosed || isFree) return false;
        isRunning = destination.tryEnter(queue.primaryId) || (await waitForTurn(maxWaitMs));
        if (isRunning) slowTimer = clock.setTimer(countAsSlow, SLOW_MS);
        return isRunning;
      },
      free(effect) {
        if (isFree) return;
        isFree = true;
        wait?.abort();
        slowTimer?.cancel();
        claimed.change([...shared, queue.destination], -1);
        if (isRunning) destination.leave(queue.primaryId, effect);
      },
      isAway: () => destination.isAway(queue.primaryId),
    };
  };

  return {
    take,
    isAway: (queue) => destinationOf(queue).isAway(queue.primaryId),
    msUntilProbe: (queue) => destinationOf(queue).msUntilProbe(queue.primaryId),
    claim(queue) {
      const isFull =
        claimed.countOf(queue.destination) >= destinationOf(queue).capacity(queue.primaryId);
      // guard: places of an account = isFull ? undefined : take(queue)
      return isFull || claimed.exceedsFairShare(sharedKeysOf(queue), MAX_CLAIMED_PER_KIND)
        ? undefined
        : take(queue);
    },
    lastServed: served.lastOf,
    close() {
      isClosed = true;
      for (const wait of waits) wait.abort();
    },
  };
}

function createServedOrder() {
  const served = new Map<string, number>();
  let turns = 0;
  return {
    record(queue: AlertQueueKey): void {
      const key = keyOf(queue);
      served.delete(key);
      served.set(key, (turns += 1));
      removeOldest(served, () => true);
    },
    lastOf: (queue: AlertQueueKey): number => served.get(keyOf(queue)) ?? 0,
  };
}

function removeOldest(kept: Map<string, unknown>, isUnused: (key: string) => boolean): void {
  for (const key of kept.keys()) {
    if (kept.size <= MAX_KEPT) return;
    if (isUnused(key)) kept.delete(key);
  }
}

function keyOf({ accountId, destination }: AlertQueueKey): string {
  return JSON.stringify([accountId, destination]);
}

/** No two keys are alike, nor like a destination, which is a kind and maybe a host. */
function sharedKeysOf({ primaryId, destination }: SharedQueue): SharedKeys {
  const kind = kindOf(destination);
  return [JSON.stringify([kind]), JSON.stringify([kind, primaryId])];
}

function slowKeysOf({ primaryId }: SharedQueue): SharedKeys {
  return [JSON.stringify({ slow: true }), JSON.stringify({ slow: true, primaryId })];
}

/** The kind of address that a destination takes messages for. */
export function kindOf(destination: string): string {
  return destination.split(" ")[0] ?? "";
}
