import type { SteadyClock } from "../../src/kit/time/steady-clock.ts";

export interface FakeClock extends SteadyClock {
  /** Moves time on, firing what is due on the way, in order, and letting real I/O through between two timers. */
  readonly advance: (ms: number) => Promise<void>;
  /** Lets time pass in which nothing ran: what fell due fires with the next advance. */
  readonly jump: (ms: number) => void;
  /** Steps the wall clock alone, as a correction by the system would; `onStep` is then called. */
  readonly step: (ms: number) => void;
  readonly pending: () => number;
}

interface FakeTimer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

export function fakeClock(startsAt = Date.UTC(2026, 0, 5, 12)): FakeClock {
  let wall = startsAt;
  let monotonic = 0;
  let order = 0;
  const timers = new Set<FakeTimer>();
  const receivers: ((byMs: number) => void)[] = [];

  const moveTo = (at: number): void => {
    wall += at - monotonic;
    monotonic = at;
  };
  const next = (until: number): FakeTimer | undefined =>
    [...timers]
      .filter(({ at }) => at <= until)
      .toSorted((one, other) => one.at - other.at || one.order - other.order)[0];

  return {
    now: () => wall,
    monotonic: () => monotonic,
    setTimer(callback, delayMs) {
      order += 1;
      const timer = { at: monotonic + Math.max(delayMs, 0), order, callback };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    async advance(ms) {
      const until = monotonic + ms;
      await drainEventLoop();
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        moveTo(Math.max(timer.at, monotonic));
        timer.callback();
        await drainEventLoop();
      }
      moveTo(until);
      await drainEventLoop();
    },
    jump: (ms) => moveTo(monotonic + ms),
    onStep: (receive) => void receivers.push(receive),
    step(ms) {
      wall += ms;
      for (const receive of receivers) receive(ms);
    },
    pending: () => timers.size,
  };
}

/** Lets promises and pending I/O of this process run. */
export async function drainEventLoop(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
