import { sleep, systemClock } from "../../src/kit/clock.ts";

/** Returns the value of a promise; rejects if it does not settle in time, with the missing event. */
export async function within<Value>(
  ms: number,
  what: string,
  work: Promise<Value>,
): Promise<Value> {
  const settled = new AbortController();
  const late = sleep(systemClock, ms, settled.signal).then(() => {
    if (!settled.signal.aborted) throw new Error(`did not happen within ${ms / 1000} s: ${what}`);
    return work;
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    settled.abort();
  }
}
