import type { Clock, Timer } from "../../kit/clock.ts";
import type { DeliveryFailed } from "../../kit/errors.ts";
import { createAbsences } from "./absences.ts";

/** What an attempt showed of the destination. */
export interface AttemptEffect {
  readonly tookMs: number;
  /** Undefined if it was accepted. */
  readonly failure?:
    | Pick<DeliveryFailed, "retryable" | "receiverAway" | "retryAfterMs">
    | undefined;
}

/** A wait for an attempt of a destination. */
export interface Turn {
  /** Whether the attempt may begin: false where it was not its turn in time, or was given up. */
  readonly granted: Promise<boolean>;
  readonly giveUp: () => void;
}

/** What takes messages for several accounts: few attempts go to it at a time, and the accounts take turns. */
export interface Destination {
  /** How many messages of the account may be claimed for it: what can be sent now and within half a second. */
  readonly capacity: (accountId: string) => number;
  /** Whether the account's last attempts found it away. */
  readonly isAway: (accountId: string) => boolean;
  /** While it is away: how long the account's messages wait at least, because the next probe is not due or is still under way. */
  readonly msUntilProbe: (accountId: string) => number;
  readonly enter: (accountId: string, maxWaitMs?: number) => Turn;
  /** Ends an attempt that was granted, with what it showed if it was made. */
  readonly leave: (accountId: string, effect?: AttemptEffect) => void;
}

const MOST_AT_ONCE = 4;
const AHEAD_MS = 500;
const MOST_AHEAD = 60;
/** After so many attempts on end that failed and may succeed later, it backs off before the next: twice as long each time. */
const MOST_FAILED = 4;
const FIRST_BACKOFF_MS = 100;
/** Whoever can be reached again has its alerts after that at the latest. */
const LONGEST_BACKOFF_MS = 5000;
/** An attempt that failed and took so long had no response in time. */
const TIMED_OUT_MS = 10_000;

interface Waiter {
  readonly accountId: string;
  readonly settle: (granted: boolean) => void;
}

/** It begins with one attempt at a time, has one more with every response up to four, and one again after a timeout. One that takes nothing backs off between two. While it is away, each account probes it with one attempt at a time. */
export function createDestination(clock: Clock, random: () => number): Destination {
  const absences = createAbsences(clock, random);
  let limit = 1;
  let running = 0;
  /** A moving average over responses; undefined where the last attempt had none. */
  let responseMs: number | undefined;
  let failedOnEnd = 0;
  let backsOffUntil = -Infinity;
  let backoff: Timer | undefined;
  /** By account, whose turn it is first. */
  const waiting = new Map<string, readonly Waiter[]>();

  const grantIn = (ms: number): void => {
    backoff?.cancel();
    backoff = clock.setTimer(() => {
      backoff = undefined;
      grant();
    }, ms);
  };
  const grant = (): void => {
    const backoffMs = backsOffUntil - clock.monotonic();
    if (backoffMs > 0) return grantIn(backoffMs);
    const probes = [...waiting.keys()].map(absences.msUntilProbe).filter((ms) => ms > 0);
    if (probes.length > 0) grantIn(Math.min(...probes));
    for (const [accountId, [waiter, ...others]] of waiting) {
      /* guard: places of a destination */ if (running >= limit) return;
      if (!absences.mayTry(accountId)) continue;
      // Set anew, so that the account is the last of those who wait.
      waiting.delete(accountId);
      if (others.length > 0) waiting.set(accountId, others);
      if (waiter === undefined) continue;
      running += 1;
      absences.began(accountId);
      waiter.settle(true);
    }
  };

  const learn = (accountId: string, { tookMs, failure }: AttemptEffect): void => {
    const { retryable = false, receiverAway = false, retryAfterMs } = failure ?? {};
    if (receiverAway) absences.failed(accountId, { tookMs, retryAfterMs });
    else absences.responded();
    failedOnEnd = retryable ? failedOnEnd + 1 : 0;
    const backoffMs = FIRST_BACKOFF_MS * 2 ** (failedOnEnd - MOST_FAILED);
    if (failedOnEnd >= MOST_FAILED)
      backsOffUntil = clock.monotonic() + Math.min(backoffMs, LONGEST_BACKOFF_MS);
    const hasTimedOut = failure !== undefined && tookMs >= TIMED_OUT_MS;
    limit = hasTimedOut || failedOnEnd >= MOST_FAILED ? 1 : Math.min(limit + 1, MOST_AT_ONCE);
    const ms = Math.max(tookMs, 1);
    responseMs = hasTimedOut ? undefined : ((responseMs ?? ms) * 3 + ms) / 4;
  };

  return {
    isAway: absences.isAway,
    msUntilProbe: absences.msWithoutTurn,
    capacity(accountId) {
      if (absences.isAway(accountId)) return absences.mayTry(accountId) ? 1 : 0;
      if (failedOnEnd >= MOST_FAILED) return clock.monotonic() < backsOffUntil ? 0 : 1;
      const ahead = responseMs === undefined ? 0 : Math.ceil((limit * AHEAD_MS) / responseMs);
      return limit + Math.min(ahead, MOST_AHEAD);
    },
    enter(accountId, maxWaitMs) {
      const { waiter, granted } = createWaiter(accountId);
      const giveUp = (): void => {
        remove(waiting, waiter);
        waiter.settle(false);
      };
      const timer = maxWaitMs === undefined ? undefined : clock.setTimer(giveUp, maxWaitMs);
      void granted.then(() => timer?.cancel());
      waiting.set(accountId, [...(waiting.get(accountId) ?? []), waiter]);
      grant();
      return { granted, giveUp };
    },
    leave(accountId, effect) {
      running -= 1;
      absences.ended(accountId);
      if (effect !== undefined) learn(accountId, effect);
      grant();
    },
  };
}

function remove(waiting: Map<string, readonly Waiter[]>, waiter: Waiter): void {
  const rest = (waiting.get(waiter.accountId) ?? []).filter((other) => other !== waiter);
  if (rest.length === 0) waiting.delete(waiter.accountId);
  else waiting.set(waiter.accountId, rest);
}

function createWaiter(accountId: string): {
  readonly waiter: Waiter;
  readonly granted: Promise<boolean>;
} {
  const { promise: granted, resolve } = Promise.withResolvers<boolean>();
  return { waiter: { accountId, settle: resolve }, granted };
}
