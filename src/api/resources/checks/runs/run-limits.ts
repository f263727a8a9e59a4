import type { Account } from "../../../../domain/account/account.ts";
import type { Clock } from "../../../../kit/clock.ts";
import { InvalidInput, TooManyRequests, Unavailable } from "../../../../kit/errors.ts";
import { createSlotCounts } from "../../../../kit/concurrency/slot-counts.ts";

export function assertNotSuspended({ status }: Pick<Account, "status">): void {
  if (status === "suspended")
    throw new InvalidInput("the account is suspended: nothing of it runs");
}

const WINDOW_MS = 60_000;
const MOST_TESTS_PER_MINUTE = 20;
/** Of one account, and of all of them. */
const MOST_AT_ONCE_OF_ACCOUNT = 3;
const MOST_AT_ONCE = 32;
const RUN_EVERY_MS = 10_000;

/**
 * Lets an account with its subaccounts test so many checks in a minute, and so many at once: nothing else bounds how often the same target is asked. Each process
 * counts for itself.
 */
export function createTestLimits(
  clock: Pick<Clock, "monotonic">,
): <Value>(primaryId: string, test: () => Promise<Value>) => Promise<Value> {
  const slots = createSlotCounts();
  let recent: readonly { readonly primaryId: string; readonly at: number }[] = [];

  const count = (primaryId: string): void => {
    const now = clock.monotonic();
    recent = recent.filter(({ at }) => now - at < WINDOW_MS);
    const own = recent.filter((one) => one.primaryId === primaryId);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= MOST_TESTS_PER_MINUTE)
      throw new TooManyRequests(
        `${MOST_TESTS_PER_MINUTE} checks were tested in the last minute`,
        Math.ceil((oldest.at + WINDOW_MS - now) / 1000),
      );
    recent = [...recent, { primaryId, at: now }];
  };

  return async (primaryId, test) => {
    const keys = ["all", `of ${primaryId}`] as const;
    if (slots.countOf(keys[1]) >= MOST_AT_ONCE_OF_ACCOUNT)
      throw new TooManyRequests(`${MOST_AT_ONCE_OF_ACCOUNT} checks are being tested already`, 1);
    if (slots.countOf(keys[0]) >= MOST_AT_ONCE)
      throw new Unavailable("too many checks are being tested");
    count(primaryId);
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
  const ranAt = new Map<number, number>();
  return (checkNo) => {
    const now = clock.monotonic();
    // The oldest come first.
    for (const [no, at] of ranAt) {
      if (now - at < RUN_EVERY_MS) break;
      ranAt.delete(no);
    }
    const before = ranAt.get(checkNo);
    if (before !== undefined)
      throw new TooManyRequests(
        `id: the check was run on request less than ${RUN_EVERY_MS / 1000} seconds ago`,
        Math.ceil((before + RUN_EVERY_MS - now) / 1000),
      );
    ranAt.set(checkNo, now);
  };
}
