import { retryDelay } from "../../domain/alert/retry.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import type { DeliveryFailed } from "../../kit/errors.ts";
import type { AttemptEnd } from "../../store/tables/alerts.ts";

/** Longest wait of a message while its receiver is away; when that is tried again is up to its destination. */
const AWAY_RETRY_MS = 10_000;

interface Occasion {
  readonly now: number;
  readonly jitter: number;
  /** Whether the receiver is away, for other messages too. */
  readonly isAway?: boolean;
}

/** Decides what follows a failed message: a retry, the last of which is at the very end of the alerts' time, or failure. `jitter` is 0 to 1. */
export function decideRetry(
  alerts: readonly Pick<Alert, "retryUntil" | "attempts">[],
  failure: DeliveryFailed,
  { now, jitter, isAway = false }: Occasion,
): AttemptEnd {
  const lastChanceAt = Math.max(...alerts.map(({ retryUntil }) => retryUntil));
  const attempts = Math.max(...alerts.map((alert) => alert.attempts));
  const possiblySent = failure.mayHaveArrived;
  if (!failure.retryable || now >= lastChanceAt)
    return {
      status: "failed",
      at: now,
      reason: failure.message,
      possiblySent,
      unreached: failure.retryable,
    };
  const ownMs = retryDelay(attempts, jitter);
  const backoffMs = isAway ? Math.min(ownMs, AWAY_RETRY_MS) : ownMs;
  const delay = Math.ceil(Math.max(backoffMs, failure.retryAfterMs ?? 0));
  const nextAttemptAt = Math.min(now + delay, lastChanceAt);
  return { status: "waiting", nextAttemptAt, possiblySent, unreached: true };
}
