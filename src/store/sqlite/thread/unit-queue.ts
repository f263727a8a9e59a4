import { createLeastUsed } from "../../../kit/concurrency/least-used.ts";
import type { PendingUnit } from "./pending-unit.ts";

export interface Waiting {
  readonly unit: PendingUnit;
  readonly addedAt: number;
}

/** Units that wait for a commit, in order: those of nobody in particular, and those of accounts, which share its time. */
export interface UnitQueue {
  readonly add: (waiting: Waiting) => void;
  readonly size: () => number;
  /** All of no account. */
  readonly takeCommon: () => Waiting[];
  /** The first of the account that has used least time. */
  readonly takeShared: () => Waiting | undefined;
  readonly used: (unit: PendingUnit, ms: number) => void;
  /** Since when the first waits that will be in the next commit: others wait for their account's turn. */
  readonly commonSince: () => number | undefined;
  /** All that were added by then. */
  readonly takeOlder: (addedAt: number) => readonly Waiting[];
}

export function createUnitQueue(): UnitQueue {
  let queue: Waiting[] = [];
  const accounts = createLeastUsed();
  const isCommon = ({ unit }: Waiting): boolean => unit.accountId === undefined;
  const take = (isTaken: (waiting: Waiting) => boolean): Waiting[] => {
    const taken = queue.filter(isTaken);
    queue = queue.filter((waiting) => !isTaken(waiting));
    return taken;
  };
  return {
    add: (waiting) => void queue.push(waiting),
    size: () => queue.length,
    takeCommon: () => take(isCommon),
    takeShared() {
      const firsts = new Map<string, Waiting>();
      for (const waiting of queue) {
        const { accountId } = waiting.unit;
        if (accountId !== undefined && !firsts.has(accountId)) firsts.set(accountId, waiting);
      }
      const next = firsts.get(accounts.pick(firsts.keys()) ?? "");
      if (next !== undefined) queue.splice(queue.indexOf(next), 1);
      return next;
    },
    used({ accountId }, ms) {
      if (accountId !== undefined) accounts.charge(accountId, ms);
    },
    commonSince: () => queue.find(isCommon)?.addedAt,
    takeOlder: (by) => take(({ addedAt }) => addedAt <= by),
  };
}
