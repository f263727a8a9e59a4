import type { Clock } from "../clock.ts";

/** Lets the event loop turn between steps of work that would otherwise follow one another without an end. */
export interface EventLoopBudget {
  /** Called before each step: undefined if it may start immediately, otherwise a promise to wait for. */
  readonly wait: () => Promise<void> | undefined;
}

/** How long work takes of one turn of the event loop, so that ten such parts and a collection of garbage stay below 250 ms. */
const MAX_DURATION_MS = 10;

export function createEventLoopBudget(clock: Pick<Clock, "monotonic">): EventLoopBudget {
  const waiting: (() => void)[] = [];
  let began: number | undefined;

  const isUsedUp = (): boolean => {
    if (began === undefined) {
      began = clock.monotonic();
      // Queued before those that wait, so that they find a new turn.
      setImmediate(() => void (began = undefined));
    }
    return clock.monotonic() - began >= MAX_DURATION_MS;
  };
  // One after the other: what the first does is part of the turn when the next looks.
  const resume = (): void => {
    if (isUsedUp()) setImmediate(resume);
    else waiting.shift()?.();
  };
  return {
    wait() {
      if (!isUsedUp()) return undefined;
      return new Promise((resolve) => {
        waiting.push(resolve);
        setImmediate(resume);
      });
    },
  };
}
