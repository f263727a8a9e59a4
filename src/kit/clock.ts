/** The only access to time. `now` is ms since the epoch and may jump; `monotonic` is ms since some start and never jumps. */
export interface Clock {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly setTimer: (callback: () => void, delayMs: number) => Timer;
}

export interface Timer {
  readonly cancel: () => void;
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, delayMs) {
    const handle = setTimeout(callback, Math.min(Math.max(delayMs, 0), MAX_TIMEOUT_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Returns the offset from the monotonic clock, in whole ms, which changes by each step of the clock. */
export function clockOffset(clock: Pick<Clock, "now" | "monotonic">): number {
  return Math.round(clock.now() - clock.monotonic());
}

/** Returns the ms by which the clock was stepped forward since it had that offset; values read then are older by that much. */
export function forwardStepSince(clock: Pick<Clock, "now" | "monotonic">, offset: number): number {
  return Math.max(0, clockOffset(clock) - offset);
}

/** Results that arrive together are stored as begun one after the other: the last of them a little ahead. */
export const CLOCK_SKEW_TOLERANCE_MS = 1000;

/** Returns the monotonic time of a past instant; -Infinity for a future one, recorded before the clock was set back. */
export function monotonicTimeOf(clock: Pick<Clock, "now" | "monotonic">, at: number): number {
  const ageMs = clock.now() - at;
  // guard: results of the future = clock.monotonic() - ageMs
  return ageMs >= -CLOCK_SKEW_TOLERANCE_MS ? clock.monotonic() - Math.max(ageMs, 0) : -Infinity;
}

/** Waits until the work has ended, well or not, for at most `maxMs`. */
export async function waitAtMost(
  work: Promise<unknown>,
  maxMs: number,
  clock: Pick<Clock, "setTimer">,
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  await Promise.race([work.then(end, end), sleep(clock, maxMs, ended.signal)]);
  end();
}

/** Resolves after `delayMs`, or as soon as the signal aborts; the caller checks the signal. */
export function sleep(
  clock: Pick<Clock, "setTimer">,
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.setTimer(end, delayMs);
    signal?.addEventListener("abort", end, { once: true });
  });
}
