import { isIP } from "node:net";

import type { Clock } from "../clock.ts";
import { isPublicAddress } from "../net/public-address.ts";
import { memoize } from "../net/memoize.ts";
import { createSlotCounts, type SharedKeys } from "./slot-counts.ts";
import { createWindowCounter } from "./window-counter.ts";

/** Limits of the load on a host by all accounts; 0 means no limit. */
export interface HostLimits {
  /** How many run at once against it. An account has as many as it leaves for all others. */
  readonly maxRunsAtOnce: number;
  /** How many start in a second; a private host has no such limit. */
  readonly maxStartsPerSecond: number;
}

export const noHostLimits: HostLimits = { maxRunsAtOnce: 0, maxStartsPerSecond: 0 };

/** Counts runs by their host, which is a name or an address. */
export interface HostLimiter {
  /** Returns the reason why no run of the account may start now: the maximum is in progress, or was started within a second. */
  readonly holdOf: (host: string, accountId: string) => "host" | "host_rate" | undefined;
  readonly start: (host: string, accountId: string) => void;
  readonly end: (host: string, accountId: string) => void;
}

const SECOND_MS = 1000;

export function createHostLimiter(
  { maxRunsAtOnce, maxStartsPerSecond }: HostLimits,
  clock: Pick<Clock, "monotonic">,
): HostLimiter {
  const running = createSlotCounts();
  const starts = createWindowCounter(clock, SECOND_MS);
  const isKnownPrivate = memoize(isPrivate);
  const isRated = (host: string): boolean => maxStartsPerSecond > 0 && !isKnownPrivate(host);
  return {
    holdOf(host, accountId) {
      // guard: runs at a host
      if (maxRunsAtOnce > 0 && running.exceedsFairShare(keysOf(host, accountId), maxRunsAtOnce))
        return "host";
      // guard: rate of runs at a host
      if (isRated(host) && starts.countOf(host) >= maxStartsPerSecond) return "host_rate";
      return undefined;
    },
    start(host, accountId) {
      running.change(keysOf(host, accountId), 1);
      if (isRated(host)) starts.add(host);
    },
    end(host, accountId) {
      running.change(keysOf(host, accountId), -1);
    },
  };
}

/** No two keys are alike: neither a host nor an id has a space. */
function keysOf(host: string, accountId: string): SharedKeys {
  return [host, `${host} ${accountId}`];
}

/** Returns whether its spelling alone says that it is nobody else's. */
function isPrivate(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && !isPublicAddress(host));
}
