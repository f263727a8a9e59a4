import { sleep, type Clock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";

/** Where nothing newer can be read, what is so old is better than nothing: the reader sees its age. */
export const MOST_AGE_MS = 24 * 3_600_000;
const TIMEOUT_MS = 2000;

/** For whoever can be shown what was there before: rejects where the store takes longer than anybody waits. */
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
