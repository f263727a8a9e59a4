import { retryDelay } from "../../domain/alert/retry.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import type { DeliveryFailed } from "../../kit/errors.ts";
import type { AttemptEnd } from "../../store/alerts.ts";

/** How a failure leaves the alerts of one message: waiting for a retry, the last of which is at the very end of their time, or failed. `jitter` is 0 to 1. */
export function decideRetry(
  alerts: readonly Pick<Alert, "retryUntil" | "attempts">[],
  failure: DeliveryFailed,
  { now, jitter }: { readonly now: number; readonly jitter: number },
): AttemptEnd {
  const lastChanceAt = Math.max(...alerts.map(({ retryUntil }) => retryUntil));
  const attempts = Math.max(...alerts.map((alert) => alert.attempts));
  const possiblySent = failure.mayHaveArrived;
  if (!failure.retryable || now >= lastChanceAt)
    return { status: "failed", at: now, reason: failure.message, possiblySent };
  const delay = Math.ceil(Math.max(retryDelay(attempts, jitter), failure.retryAfterMs ?? 0));
  return { status: "waiting", nextAttemptAt: Math.min(now + delay, lastChanceAt), possiblySent };
}
