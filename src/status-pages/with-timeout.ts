import { sleep, type Clock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";

/** Maximum age of content shown if nothing newer can be read: the reader sees its age. */
export const MAX_AGE_MS = 24 * 3_600_000;
const TIMEOUT_MS = 2000;

/** Rejects if the store takes longer than clients wait, for callers that have an older version to show. */
export async function withTimeout<Value>(
  work: Promise<Value>,
  clock: Pick<Clock, "now" | "monotonic" | "setTimer">,
): Promise<Value> {
  const done = new AbortController();
  const late = sleep(clock, TIMEOUT_MS, done.signal).then(() => {
    throw new Unavailable("the store does not answer");
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
