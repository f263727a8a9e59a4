import type { Clock } from "../../kit/clock.ts";

/** Ends the use of a connection slot; undefined where the destination is stuck, or the limiter is closed. */
export type Release = () => void;

/** Limits how many attempts run at a time, in all and for each destination. */
export interface ConcurrencyLimiter {
  readonly acquire: (destination: string) => Promise<Release | undefined>;
  /** Rejects all who wait, and all later calls. */
  readonly close: () => void;
}

interface Waiter {
  readonly destination: string;
  readonly settle: (release: Release | undefined) => void;
}

interface Lane {
  readonly running: number;
  readonly changedAt: number;
}

export interface ConcurrencyLimits {
  readonly total: number;
  readonly perDestination: number;
  /** How long a destination without a free slot may make no progress before those who wait for it are rejected. */
  readonly maxWaitMs: number;
}

export function createConcurrencyLimiter(
  clock: Clock,
  { total, perDestination, maxWaitMs }: ConcurrencyLimits,
): ConcurrencyLimiter {
  const lanes = new Map<string, Lane>();
  const waiters = new Set<Waiter>();
  let running = 0;
  let closed = false;

  const hasFreeSlot = (destination: string): boolean =>
    running < total && (lanes.get(destination)?.running ?? 0) < perDestination;
  const isStuck = (destination: string): boolean => {
    const lane = lanes.get(destination);
    return (
      lane !== undefined &&
      lane.running >= perDestination &&
      clock.monotonic() - lane.changedAt >= maxWaitMs
    );
  };
  const change = (destination: string, by: 1 | -1): void => {
    running += by;
    const lane = {
      running: (lanes.get(destination)?.running ?? 0) + by,
      changedAt: clock.monotonic(),
    };
    if (lane.running === 0) lanes.delete(destination);
    else lanes.set(destination, lane);
  };
  const occupy = (destination: string): Release => {
    change(destination, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      change(destination, -1);
      for (const waiter of waiters)
        if (hasFreeSlot(waiter.destination)) waiter.settle(occupy(waiter.destination));
    };
  };

  return {
    acquire(destination) {
      if (closed || isStuck(destination)) return Promise.resolve(undefined);
      if (hasFreeSlot(destination)) return Promise.resolve(occupy(destination));
      return new Promise((resolve) => {
        const timer = clock.setTimer(() => waiter.settle(undefined), maxWaitMs);
        const waiter: Waiter = {
          destination,
          settle(release) {
            timer.cancel();
            waiters.delete(waiter);
            resolve(release);
          },
        };
        waiters.add(waiter);
      });
    },
    close() {
      closed = true;
      for (const waiter of waiters) waiter.settle(undefined);
    },
  };
}
