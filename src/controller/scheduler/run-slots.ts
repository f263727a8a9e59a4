import type { Clock } from "../../kit/clock.ts";
import { createHostLimiter, type HostLimits } from "../../kit/concurrency/host-limiter.ts";
import { createSlotCounts, type SharedKeys } from "../../kit/concurrency/slot-counts.ts";
import { createWindowCounter } from "../../kit/concurrency/window-counter.ts";
import { memoize } from "../../kit/net/memoize.ts";
import type { RunShare } from "./run-share.ts";

interface Limits extends HostLimits {
  /** How many run at once, slow ones apart. */
  readonly maxRunning: number;
  /** How many of those that have run for a while have slots apart. */
  readonly maxSlow: number;
}

/** Reasons why a run must wait. */
export type RunHold = "account" | "budget" | "host" | "host_rate";

/**
 * The slots of runs under way. A primary account, with its subaccounts, has as many as it leaves for all others, and so it is with its slots at a
 * host. A run that has not ended soon takes one of the slots apart, so that targets that hang leave the others to runs that end.
 */
export interface RunSlots {
  /** Returns the reason why no run of the primary account may start now. */
  readonly holdOfAccount: (primaryId: string) => RunHold | undefined;
  /** Returns the reason why such a run of the primary account may not start now, although others may. */
  readonly holdOfShare: (share: RunShare) => RunHold | undefined;
  readonly take: (share: RunShare) => RunSlot;
  /** Gives runs that have taken long the slots apart, as many as there are. */
  readonly setSlowApart: () => void;
}

export interface RunSlot {
  readonly free: () => void;
}

/** Time after which a run counts as slow; an ordinary run takes a tenth of it. */
const SLOW_MS = 2000;
const MINUTE_MS = 60_000;

interface Taken {
  readonly primaryId: string;
  readonly since: number;
}

export function createRunSlots(limits: Limits, clock: Pick<Clock, "monotonic">): RunSlots {
  const counts = createSlotCounts();
  // Cached because it is needed seven times per run and every new string must be hashed again.
  const quickKeys = memoize((primaryId): SharedKeys => sharedKeys("quick", primaryId));
  const slowKeys = memoize((primaryId): SharedKeys => sharedKeys("slow", primaryId));
  const hosts = createHostLimiter(limits, clock);
  const typeStarts = createWindowCounter(clock, MINUTE_MS);
  /** Those that are not in slots apart, oldest first. */
  const quick = new Set<Taken>();

  return {
    holdOfAccount: (primaryId) =>
      // guard: runs of an account = else
      counts.exceedsFairShare(quickKeys(primaryId), limits.maxRunning) ? "account" : undefined,
    holdOfShare(share) {
      const { primaryId, host, maxPerMinute } = share;
      // guard: budget of checks that ask others
      if (maxPerMinute !== undefined && typeStarts.countOf(budgetKey(share)) >= maxPerMinute)
        return "budget";
      return host === undefined ? undefined : hosts.holdOf(host, primaryId);
    },
    take(share) {
      const { primaryId, host, maxPerMinute } = share;
      const taken: Taken = { primaryId, since: clock.monotonic() };
      if (maxPerMinute !== undefined) typeStarts.add(budgetKey(share));
      if (host !== undefined) hosts.start(host, primaryId);
      quick.add(taken);
      counts.change(quickKeys(primaryId), 1);
      return {
        free() {
          const wasQuick = quick.delete(taken);
          counts.change(wasQuick ? quickKeys(primaryId) : slowKeys(primaryId), -1);
          if (host !== undefined) hosts.end(host, primaryId);
        },
      };
    },
    setSlowApart() {
      const slowSince = clock.monotonic() - SLOW_MS;
      for (const taken of quick) {
        // guard: places apart for runs that hang = then
        if (taken.since > slowSince) return;
        const { primaryId } = taken;
        if (counts.exceedsFairShare(slowKeys(primaryId), limits.maxSlow)) continue;
        quick.delete(taken);
        counts.change(quickKeys(primaryId), -1);
        counts.change(slowKeys(primaryId), 1);
      }
    },
  };
}

/** No two keys are alike: an id has no space. */
function sharedKeys(lane: "quick" | "slow", primaryId: string): SharedKeys {
  return [lane, `${lane} ${primaryId}`];
}

function budgetKey({ primaryId, type }: RunShare): string {
  return `${primaryId} ${type}`;
}
