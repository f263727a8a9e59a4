import type { Clock } from "../kit/clock.ts";

/** Knows when this process was too busy to do things on time, so that nobody takes our slowness for that of a target. */
export interface EventLoopMonitor {
  /** For how many ms since then, in the time of `monotonic`, the event loop stood still; what any program stands still is nothing. */
  readonly stalledSince: (start: number) => number;
  readonly stop: () => void;
}

interface Stall {
  readonly from: number;
  readonly to: number;
}

const LOOK_EVERY_MS = 20;
/** A response time that is wrong by less is still told. */
const TOLERATED_MS = 20;
/** The longest timeout of a check, and some more. */
const REMEMBERED_MS = 150_000;

export function createEventLoopMonitor(
  clock: Pick<Clock, "monotonic" | "setTimer">,
): EventLoopMonitor {
  const stalls: Stall[] = [];
  let expected = 0;
  let timer = expect();

  function expect(): { readonly cancel: () => void } {
    expected = clock.monotonic() + LOOK_EVERY_MS;
    return clock.setTimer(look, LOOK_EVERY_MS);
  }

  function look(): void {
    const now = clock.monotonic();
    if (now - expected > TOLERATED_MS) stalls.push({ from: expected, to: now });
    while ((stalls[0]?.to ?? now) < now - REMEMBERED_MS) stalls.shift();
    timer = expect();
  }

  return {
    stalledSince(start) {
      const now = clock.monotonic();
      // The stall of this very turn: whoever asks may come before our timer.
      const present = now - expected > TOLERATED_MS ? [{ from: expected, to: now }] : [];
      let stalled = 0;
      for (const { from, to } of [...stalls.slice(firstAfter(start)), ...present])
        stalled += to - Math.max(from, start);
      return stalled;
    },
    stop: () => timer.cancel(),
  };

  /** Nearly always beyond the last. */
  function firstAfter(start: number): number {
    let index = stalls.length;
    while (index > 0 && (stalls[index - 1]?.to ?? 0) > start) index -= 1;
    return index;
  }
}

/** For whoever has time enough. */
export const noStalls: Pick<EventLoopMonitor, "stalledSince"> = { stalledSince: () => 0 };
