import { sleep, type Clock } from "../../kit/clock.ts";

/** Waits until the work has ended, well or not, and no longer than that. */
export async function withinMs(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  await Promise.race([work.then(end, end), sleep(clock, ms, ended.signal)]);
  end();
}
