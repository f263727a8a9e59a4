import type { Clock } from "../clock.ts";
import { poll } from "../poll.ts";

/** A clock that goes steadily, but for steps that all of a process sees at one moment. */
export interface SteadyClock extends Clock {
  /** `receive` is called after each step with the ms by which the clock was set. */
  readonly onStep: (receive: (byMs: number) => void) => void;
}

export interface ClockSteps {
  /**
   * Moves by a step whatever waits for an instant, and calls `set` at the moment from which the new time is to be seen. What it
   * rejects is undone, and tried again.
   */
  readonly adopt: (byMs: number, set: () => void) => Promise<void>;
  /** Called with each adopted step, and the monotonic time since which the old time may have been wrong. */
  readonly adopted: (step: { readonly byMs: number; readonly from: number }) => void;
  /** Called with the first error of a step that cannot be adopted yet. */
  readonly failed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

export interface FollowingClock extends SteadyClock {
  /** Follows the clock of the system until the signal aborts. */
  readonly follow: (following: ClockSteps) => Promise<void>;
}

const LOOK_INTERVAL_MS = 250;
const RETRY_AFTER_MS = 1000;
/** The system's clock was set where it differs by more; smaller differences are a correction of its rate. */
const STEP_MS = 1000;
/** The resolution of the system's clock, and some more. */
const NOISE_MS = 5;
/** Interval between readings beyond which the process was suspended. */
const READ_WITHIN_MS = 20;

/** A clock whose `now` goes with the monotonic one: what the system's clock is set to counts once everything that waits has been moved by it. */
export function createSteadyClock(system: Clock): FollowingClock {
  const receivers: ((byMs: number) => void)[] = [];
  let offset = offsetOf(system);
  let lastEqual = system.monotonic();

  const follow = async ({ adopt, adopted, failed, signal }: ClockSteps): Promise<void> => {
    let isRetry = false;
    const step = async (byMs: number): Promise<void> => {
      const [before, after, from] = [offset, offset + byMs, lastEqual];
      try {
        await adopt(byMs, () => (offset = after));
      } catch (error) {
        offset = before;
        throw error;
      }
      offset = after;
      lastEqual = system.monotonic();
      adopted({ byMs, from });
      for (const receive of receivers) receive(byMs);
    };
    const round = async (): Promise<number> => {
      const byMs = Math.round(offsetOf(system) - offset);
      // guard: a clock that was set
      if (Math.abs(byMs) > STEP_MS) {
        await step(byMs);
      } else {
        if (Math.abs(byMs) > NOISE_MS) offset += byMs;
        lastEqual = system.monotonic();
      }
      isRetry = false;
      return LOOK_INTERVAL_MS;
    };
    const onError = (error: unknown): void => {
      if (!isRetry) failed(error);
      isRetry = true;
    };
    await poll({ clock: system, signal, round, onError, errorDelayMs: RETRY_AFTER_MS });
  };

  return {
    now: () => Math.floor(system.monotonic() + offset),
    monotonic: system.monotonic,
    setTimer: system.setTimer,
    onStep: (receive) => void receivers.push(receive),
    follow,
  };
}

/** Returns the offset between the clocks, read without a suspension in between. */
function offsetOf(system: Pick<Clock, "now" | "monotonic">): number {
  for (;;) {
    const before = system.monotonic();
    const now = system.now();
    if (system.monotonic() - before <= READ_WITHIN_MS) return now - before;
  }
}
