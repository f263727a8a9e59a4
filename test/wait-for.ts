import { systemClock } from "../src/kit/clock.ts";
import { drainEventLoop } from "./fake-clock.ts";

/** Waits for something that real I/O will bring about; the limit is for a test that is broken, not a wait. */
export async function waitFor<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  limitMs = 10_000,
): Promise<Value> {
  const end = systemClock.monotonic() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (systemClock.monotonic() > end) throw new Error(`never came about: ${what}`);
    await drainEventLoop(1);
  }
}
