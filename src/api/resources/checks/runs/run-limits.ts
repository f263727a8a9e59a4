import type { Account } from "../../../../domain/account/account.ts";
import type { Clock } from "../../../../kit/clock.ts";
import { InvalidInput, TooManyRequests, Unavailable } from "../../../../kit/errors.ts";
import { createSlotCounts } from "../../../../kit/concurrency/slot-counts.ts";
import { createWindowCounter } from "../../../../kit/concurrency/window-counter.ts";

export function assertNotSuspended({ status }: Pick<Account, "status">): void {
  if (status === "suspended")
    throw new InvalidInput("the account is suspended: nothing of it runs");
}

const WINDOW_MS = 60_000;
const MAX_TESTS_PER_MINUTE = 20;
/** Maximum tests at a time of one account, and of all accounts. */
const MAX_AT_ONCE_PER_ACCOUNT = 3;
const MAX_AT_ONCE = 32;
const RUN_INTERVAL_MS = 10_000;

/**
 * Limits the checks an account with its subaccounts may test per minute and at a time, because nothing else limits requests to one target. Each process counts
 * separately.
 */
export function createTestLimits(
  clock: Pick<Clock, "monotonic">,
): <Value>(primaryId: string, test: () => Promise<Value>) => Promise<Value> {
  const slots = createSlotCounts();
  const started = createWindowCounter(clock, WINDOW_MS);
  return async (primaryId, test) => {
    const keys = ["all", `of ${primaryId}`] as const;
    if (slots.countOf(keys[1]) >= MAX_AT_ONCE_PER_ACCOUNT)
      throw new TooManyRequests(`${MAX_AT_ONCE_PER_ACCOUNT} checks are being tested already`, 1);
    if (slots.countOf(keys[0]) >= MAX_AT_ONCE)
      throw new Unavailable("too many checks are being tested");
    if (!started.tryAdd(primaryId, 1, MAX_TESTS_PER_MINUTE))
      throw new TooManyRequests(
        `${MAX_TESTS_PER_MINUTE} checks were tested in the last minute`,
        Math.ceil(started.msLeft(primaryId) / 1000),
      );
    slots.change(keys, 1);
    try {
      return await test();
    } finally {
      slots.change(keys, -1);
    }
  };
}

/** Lets each check run on request once in ten seconds. Each process counts for itself. */
export function createRunLimit(clock: Pick<Clock, "monotonic">): (checkNo: number) => void {
  const runs = createWindowCounter(clock, RUN_INTERVAL_MS);
  return (checkNo) => {
    const key = String(checkNo);
    if (!runs.tryAdd(key, 1, 1))
      throw new TooManyRequests(
        `id: the check was run on request less than ${RUN_INTERVAL_MS / 1000} seconds ago`,
        Math.ceil(runs.msLeft(key) / 1000),
      );
  };
}
