import type { Clock } from "./clock.ts";

/** A signal that aborts after a delay, unless it is canceled or goes out of scope before. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
}

/** Aborts with the reason, or with an `AbortError`. */
export function createDeadline(
  { setTimer }: Pick<Clock, "setTimer">,
  delayMs: number,
  reason?: Error,
): Deadline {
  const controller = new AbortController();
  const { cancel } = setTimer(() => controller.abort(reason), delayMs);
  return { signal: controller.signal, cancel, [Symbol.dispose]: cancel };
}

/** Resolves as the promise does, or with undefined as soon as the signal aborts; the result of the promise is then ignored. */
export function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const give = (): void => resolve(undefined);
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
    void promise.then(resolve, reject).then(() => signal.removeEventListener("abort", give));
  });
}
