import { systemClock } from "../../src/kit/clock.ts";
import { drainEventLoop } from "./fake-clock.ts";

/** After that a test is broken rather than slow, on any machine. It is the one deadline in wall time that a test may have. */
export const TEST_DEADLINE_MS = 5 * 60_000;

/** Waits for something that real I/O brings about. */
export async function waitFor<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const end = systemClock.monotonic() + TEST_DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (systemClock.monotonic() > end) throw new Error(`did not happen: ${what}`);
    await drainEventLoop(1);
  }
}
