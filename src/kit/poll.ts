import { sleep, type Clock } from "./clock.ts";
import type { WakeSignal } from "./wake-signal.ts";

export interface Polling {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Performs due work, and returns the ms until the next round; 0 for none. */
  readonly round: () => Promise<number>;
  readonly onError: (error: unknown) => void;
  /** How long to wait after a round that failed. */
  readonly errorDelayMs: number;
  /** Ends a wait early. */
  readonly wakeSignal?: WakeSignal;
}

/** Runs one round after the other until the signal aborts; a round that fails does not end it. */
export async function poll(polling: Polling): Promise<void> {
  const { clock, signal, round, onError, errorDelayMs, wakeSignal } = polling;
  if (wakeSignal !== undefined) signal.addEventListener("abort", wakeSignal.wake, { once: true });
  while (!signal.aborted) {
    let delayMs = errorDelayMs;
    try {
      delayMs = await round();
    } catch (error) {
      onError(error);
    }
    if (delayMs > 0 && !signal.aborted)
      await (wakeSignal?.sleep(delayMs) ?? sleep(clock, delayMs, signal));
  }
}
