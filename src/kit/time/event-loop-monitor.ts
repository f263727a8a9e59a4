import type { Clock } from "../clock.ts";

/** Measures when a thread was too busy to act on time, so that its own delay is not taken for a target's. */
export interface EventLoopMonitor {
  /** Returns the ms since `start`, on the monotonic clock, in which the event loop was blocked, without ordinary delays. */
  readonly stalledSince: (start: number) => number;
  readonly stop: () => void;
}

interface Stall {
  readonly from: number;
  readonly to: number;
}

const MEASURE_INTERVAL_MS = 20;
/** A response time that is wrong by less is still stored. */
const TOLERATED_MS = 20;
/** The longest timeout of a check, and some more. */
const KEPT_MS = 150_000;

/** Time after which a blocked process misses what is sent to it: a suspended process looks the same from inside. */
const INTERRUPTION_MS = 1000;

interface Listeners {
  /** Called with each stall. */
  readonly stalled?: (from: number, to: number) => void;
  /** Called with each stall long enough to lose data sent to this process. */
  readonly interrupted?: (from: number, to: number) => void;
}

export function createEventLoopMonitor(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  { stalled = () => {}, interrupted = () => {} }: Listeners = {},
): EventLoopMonitor {
  const stalls: Stall[] = [];
  let expected = 0;
  let timer = expect();

  function expect(): { readonly cancel: () => void } {
    expected = clock.monotonic() + MEASURE_INTERVAL_MS;
    return clock.setTimer(measure, MEASURE_INTERVAL_MS);
  }

  function measure(): void {
    const now = clock.monotonic();
    if (now - expected > TOLERATED_MS) {
      stalls.push({ from: expected, to: now });
      stalled(expected, now);
    }
    if (now - expected >= INTERRUPTION_MS) interrupted(expected, now);
    while ((stalls[0]?.to ?? now) < now - KEPT_MS) stalls.shift();
    timer = expect();
  }

  return {
    stalledSince(start) {
      const now = clock.monotonic();
      // The stall of this turn, where the caller comes before the timer.
      const present = now - expected > TOLERATED_MS ? [{ from: expected, to: now }] : [];
      let stalledMs = 0;
      for (const { from, to } of [...stalls.slice(firstAfter(start)), ...present])
        stalledMs += to - Math.max(from, start);
      return stalledMs;
    },
    stop: () => timer.cancel(),
  };

  /** Returns the first stall that ended after `start`: usually none. */
  function firstAfter(start: number): number {
    let index = stalls.length;
    while (index > 0 && (stalls[index - 1]?.to ?? 0) > start) index -= 1;
    return index;
  }
}

/** A monitor of a process that never stalls. */
export const noStalls: Pick<EventLoopMonitor, "stalledSince"> = { stalledSince: () => 0 };
