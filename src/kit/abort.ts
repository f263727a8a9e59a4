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
