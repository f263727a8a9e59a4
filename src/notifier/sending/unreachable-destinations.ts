import type { Clock } from "../../kit/clock.ts";

/** Evidence in a failed attempt that a receiver is unreachable. */
export interface FailedAttempt {
  readonly tookMs: number;
  /** Delay requested by the receiver. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Accounts that find a destination unreachable, and their next probes of it. Each account has its own state because a path of a shared host may fail for one
 * account only.
 */
export interface UnreachableDestinations {
  readonly isAway: (accountId: string) => boolean;
  /** 0 if the account may try now. */
  readonly msUntilProbe: (accountId: string) => number;
  /** Whether an attempt of the account may begin: while it is away, one at a time and not before the next probe. */
  readonly mayTry: (accountId: string) => boolean;
  /** How long the account's messages need not be looked at: until the next probe is due, or while one takes long. */
  readonly msWithoutTurn: (accountId: string) => number;
  readonly began: (accountId: string) => void;
  readonly ended: (accountId: string) => void;
  readonly failed: (accountId: string, attempt: FailedAttempt) => void;
  /** The destination is there, for all accounts. */
  readonly responded: () => void;
}

interface Absence {
  readonly since: number;
  readonly failures: number;
  readonly probeAt: number;
}

const FIRST_PROBE_MS = 5000;
const MAX_PROBE_MS = 15_000;
/** A receiver that is away for longer is probed every minute. */
const BRIEF_ABSENCE_MS = 10 * 60_000;
const LATER_PROBE_MS = 60_000;
/** A probe that took long is followed by the next no sooner than this. */
const PAUSE_MS = 1000;
/** Time after which a probe without a response counts as slow. */
const SLOW_PROBE_MS = 2000;
/** Share of an interval by which probes of several accounts and processes spread. */
const SPREAD = 0.2;

/** A destination that responded to another message so recently is there: the failure is of that message alone. */
const RECENT_RESPONSE_MS = 60_000;
/** After this many failures in a row, the destination is away even if it responded recently. */
const MAX_FAILED = 4;

export function createUnreachableDestinations(
  { monotonic }: Pick<Clock, "monotonic">,
  random: () => number,
): UnreachableDestinations {
  const unreachable = new Map<string, Absence>();
  /** Start of the latest attempt and number of attempts in progress, by account. */
  const attempts = new Map<string, { readonly startedAt: number; readonly running: number }>();
  const runningOf = (accountId: string): number => attempts.get(accountId)?.running ?? 0;
  let respondedAt = -Infinity;

  const isAway = (accountId: string): boolean => {
    const { failures = 0 } = unreachable.get(accountId) ?? {};
    const hasResponded = monotonic() - respondedAt < RECENT_RESPONSE_MS;
    return failures >= (hasResponded ? MAX_FAILED : 1);
  };
  const msUntilProbe = (accountId: string): number => {
    if (!isAway(accountId)) return 0;
    return Math.max(0, (unreachable.get(accountId)?.probeAt ?? 0) - monotonic());
  };
  return {
    isAway,
    msUntilProbe,
    mayTry: (accountId) =>
      !isAway(accountId) || (msUntilProbe(accountId) === 0 && runningOf(accountId) === 0),
    msWithoutTurn(accountId) {
      const { startedAt = 0, running = 0 } = attempts.get(accountId) ?? {};
      const isSlow = running > 0 && monotonic() - startedAt >= SLOW_PROBE_MS;
      return isSlow && isAway(accountId) ? SLOW_PROBE_MS : Math.ceil(msUntilProbe(accountId));
    },
    began(accountId) {
      attempts.set(accountId, { startedAt: monotonic(), running: runningOf(accountId) + 1 });
    },
    ended(accountId) {
      const { startedAt = 0, running = 0 } = attempts.get(accountId) ?? {};
      if (running > 1) attempts.set(accountId, { startedAt, running: running - 1 });
      else attempts.delete(accountId);
    },
    failed(accountId, { tookMs, retryAfterMs = 0 }) {
      const now = monotonic();
      const startedAt = now - tookMs;
      const { since = startedAt, failures = 0 } = unreachable.get(accountId) ?? {};
      const maxMs =
        now - since < BRIEF_ABSENCE_MS
          ? Math.min(FIRST_PROBE_MS * 2 ** failures, MAX_PROBE_MS)
          : LATER_PROBE_MS;
      const intervalMs = maxMs * (1 - SPREAD * random());
      const probeAt = Math.max(startedAt + intervalMs, now + PAUSE_MS, now + retryAfterMs);
      unreachable.set(accountId, { since, failures: failures + 1, probeAt });
    },
    responded() {
      respondedAt = monotonic();
      unreachable.clear();
    },
  };
}
