import { sleep, type Clock } from "../kit/clock.ts";

interface Deps {
  readonly clock: Clock;
  /** Called with each error of a task. */
  readonly failed: (error: unknown) => void;
  /** Ends the queue: nothing begins any more. */
  readonly signal: AbortSignal;
}

/** Runs tasks one after the other. One that fails is put at the end again after a while, so that it holds nobody up. */
export interface RetryingQueue {
  /** Resolves once the task succeeded, or the queue ended. */
  readonly add: (task: () => Promise<void>) => Promise<void>;
  /** Adds the task after the time between two tries. */
  readonly addLater: (task: () => Promise<void>) => Promise<void>;
}

const RETRY_AFTER_MS = 10_000;

export function createRetryingQueue({ clock, failed, signal }: Deps): RetryingQueue {
  let last = Promise.resolve();

  const addLater = (task: () => Promise<void>): Promise<void> =>
    sleep(clock, RETRY_AFTER_MS, signal).then(() => add(task));

  const add = (task: () => Promise<void>): Promise<void> => {
    let retry: Promise<void> | undefined;
    last = last.then(async () => {
      if (signal.aborted) return;
      try {
        await task();
      } catch (error) {
        failed(error);
        retry = addLater(task);
      }
    });
    return last.then(() => retry);
  };

  return { add, addLater };
}
