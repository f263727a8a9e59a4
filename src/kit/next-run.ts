/**
 * Runs the work after the run in progress, which began too early to say anything about now. All callers share the next run until it begins.
 * The work must not reject.
 */
export function sharingNextRun<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  const begin = (): Promise<Value> => {
    next = undefined;
    const run = work();
    current = run;
    return run;
  };
  return () => (next ??= current.then(begin));
}
