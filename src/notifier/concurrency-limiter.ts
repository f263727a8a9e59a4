import type { Clock } from "../kit/clock.ts";

/** Frees the place; without one the destination is stuck, or we are closing. */
export type Release = () => void;

/** Lets few through at a time, and fewer to one destination. */
export interface ConcurrencyLimiter {
  readonly acquire: (destination: string) => Promise<Release | undefined>;
  /** Turns away all who wait, and all who come. */
  readonly close: () => void;
}

interface Waiter {
  readonly destination: string;
  readonly answer: (leave: Release | undefined) => void;
}

interface Lane {
  readonly inside: number;
  readonly movedAt: number;
}

export interface ConcurrencyLimits {
  readonly total: number;
  readonly perDestination: number;
  /** How long a destination with no free place may stand still before those who wait for it are turned away. */
  readonly maxWaitMs: number;
}

export function createConcurrencyLimiter(
  clock: Clock,
  { total, perDestination, maxWaitMs }: ConcurrencyLimits,
): ConcurrencyLimiter {
  const lanes = new Map<string, Lane>();
  const waiters = new Set<Waiter>();
  let inside = 0;
  let closed = false;

  const hasPlace = (destination: string): boolean =>
    inside < total && (lanes.get(destination)?.inside ?? 0) < perDestination;
  const isStuck = (destination: string): boolean => {
    const lane = lanes.get(destination);
    return (
      lane !== undefined &&
      lane.inside >= perDestination &&
      clock.monotonic() - lane.movedAt >= maxWaitMs
    );
  };
  const move = (destination: string, by: 1 | -1): void => {
    inside += by;
    const lane = { inside: (lanes.get(destination)?.inside ?? 0) + by, movedAt: clock.monotonic() };
    if (lane.inside === 0) lanes.delete(destination);
    else lanes.set(destination, lane);
  };
  const letIn = (destination: string): Release => {
    move(destination, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      move(destination, -1);
      for (const waiter of waiters)
        if (hasPlace(waiter.destination)) waiter.answer(letIn(waiter.destination));
    };
  };

  return {
    acquire(destination) {
      if (closed || isStuck(destination)) return Promise.resolve(undefined);
      if (hasPlace(destination)) return Promise.resolve(letIn(destination));
      return new Promise((resolve) => {
        const timer = clock.setTimer(() => waiter.answer(undefined), maxWaitMs);
        const waiter: Waiter = {
          destination,
          answer(leave) {
            timer.cancel();
            waiters.delete(waiter);
            resolve(leave);
          },
        };
        waiters.add(waiter);
      });
    },
    close() {
      closed = true;
      for (const waiter of waiters) waiter.answer(undefined);
    },
  };
}
