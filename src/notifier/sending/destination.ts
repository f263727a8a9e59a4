import type { Clock, Timer } from "../../kit/clock.ts";
import { createFairSemaphore, type Wait } from "../../kit/concurrency/fair-semaphore.ts";
import type { DeliveryFailed } from "../../kit/errors.ts";
import { createUnreachableDestinations } from "./unreachable-destinations.ts";

/** Effect of an attempt on the state of its destination. */
export interface AttemptEffect {
  readonly tookMs: number;
  /** Undefined if it was accepted. */
  readonly failure?:
    | Pick<DeliveryFailed, "retryable" | "receiverAway" | "retryAfterMs">
    | undefined;
}

/** Destination shared by several accounts: it receives few attempts at a time, and accounts take turns. */
export interface Destination {
  /** How many messages of the account may be claimed for it: what can be sent now and within half a second. */
  readonly capacity: (accountId: string) => number;
  /** Whether the account's last attempts found it away. */
  readonly isAway: (accountId: string) => boolean;
  /** Minimum wait of the account's messages while the destination is unreachable, because the next probe is not due or is in progress. */
  readonly msUntilProbe: (accountId: string) => number;
  /** Resolves to whether the attempt may begin: false if its turn did not come in time, or the signal aborted. */
  readonly enter: (accountId: string, wait?: Wait) => Promise<boolean>;
  /** The same at once, where no other attempt waits. */
  readonly tryEnter: (accountId: string) => boolean;
  /** Ends an attempt that was granted, with what it showed if it was made. */
  readonly leave: (accountId: string, effect?: AttemptEffect) => void;
}

const MAX_AT_ONCE = 4;
const AHEAD_MS = 500;
const MAX_AHEAD = 60;
/** Consecutive retryable failures after which the destination backs off, twice as long each time. */
const MAX_FAILED = 4;
const FIRST_BACKOFF_MS = 100;
/** Maximum backoff, and thus the maximum delay of alerts after a destination recovers. */
const MAX_BACKOFF_MS = 5000;
/** Duration from which a failed attempt counts as a timeout. */
const TIMED_OUT_MS = 10_000;

/** It begins with one attempt at a time, has one more with every response up to four, and one again after a timeout. One that takes nothing backs off between two. While it is away, each account probes it with one attempt at a time. */
export function createDestination(clock: Clock, random: () => number): Destination {
  const unreachable = createUnreachableDestinations(clock, random);
  let limit = 1;
  /** Moving average of response times; undefined if the last attempt had no response. */
  let responseMs: number | undefined;
  let failedOnEnd = 0;
  let backsOffUntil = -Infinity;
  let timer: Timer | undefined;
  let advancesAt = Infinity;

  const advanceIn = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (at >= advancesAt) return;
    advancesAt = at;
    timer?.cancel();
    timer = clock.setTimer(() => {
      advancesAt = Infinity;
      attempts.advance();
    }, ms);
  };
  const attempts = createFairSemaphore(clock, {
    slots: /* guard: places of a destination = Infinity */ () => limit,
    isShared: false,
    admits(accountId) {
      const backoffMs = backsOffUntil - clock.monotonic();
      const restMs = Math.max(backoffMs, unreachable.msUntilProbe(accountId));
      if (restMs > 0) advanceIn(restMs);
      if (restMs > 0 || !unreachable.mayTry(accountId)) return false;
      unreachable.began(accountId);
      return true;
    },
  });

  const learn = (accountId: string, { tookMs, failure }: AttemptEffect): void => {
    const { retryable = false, receiverAway = false, retryAfterMs } = failure ?? {};
    if (receiverAway) unreachable.failed(accountId, { tookMs, retryAfterMs });
    else unreachable.responded();
    failedOnEnd = retryable ? failedOnEnd + 1 : 0;
    const backoffMs = FIRST_BACKOFF_MS * 2 ** (failedOnEnd - MAX_FAILED);
    if (failedOnEnd >= MAX_FAILED)
      backsOffUntil = clock.monotonic() + Math.min(backoffMs, MAX_BACKOFF_MS);
    const hasTimedOut = failure !== undefined && tookMs >= TIMED_OUT_MS;
    limit = hasTimedOut || failedOnEnd >= MAX_FAILED ? 1 : Math.min(limit + 1, MAX_AT_ONCE);
    const ms = Math.max(tookMs, 1);
    responseMs = hasTimedOut ? undefined : ((responseMs ?? ms) * 3 + ms) / 4;
  };

  return {
    isAway: unreachable.isAway,
    msUntilProbe: unreachable.msWithoutTurn,
    capacity(accountId) {
      if (unreachable.isAway(accountId)) return unreachable.mayTry(accountId) ? 1 : 0;
      if (failedOnEnd >= MAX_FAILED) return clock.monotonic() < backsOffUntil ? 0 : 1;
      const ahead = responseMs === undefined ? 0 : Math.ceil((limit * AHEAD_MS) / responseMs);
      return limit + Math.min(ahead, MAX_AHEAD);
    },
    tryEnter: (accountId) => attempts.waiting() === 0 && attempts.tryAcquire(accountId),
    enter: (accountId, wait) =>
      attempts.acquire(accountId, wait).then(
        () => true,
        () => false,
      ),
    leave(accountId, effect) {
      unreachable.ended(accountId);
      if (effect !== undefined) learn(accountId, effect);
      attempts.release(accountId);
    },
  };
}
