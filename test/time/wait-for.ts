import { sleep, systemClock } from "../../src/kit/clock.ts";
import { drainEventLoop } from "./fake-clock.ts";

/** After that a test is broken rather than slow, on any machine. It is the one deadline in wall time that a test may have. */
export const TEST_DEADLINE_MS = 1000 * Number(process.env["TEST_DEADLINE_S"] ?? 300);

/** How often it looks in each turn of the event loop: what this process brings about by itself is there by then. */
const TURNS = 100;
/** Interval between later attempts, as a fraction of the elapsed wait: constant polling would take CPU from the awaited work. */
const PAUSE_SHARE = 0.05;
const MAX_PAUSE_MS = 100;

type Look<Value> = () => Value | undefined | false | Promise<Value | undefined | false>;

/** Waits for something that real I/O brings about. */
export async function waitFor<Value>(what: string, look: Look<Value>): Promise<Value> {
  const start = systemClock.monotonic();
  let looks = 0;
  return repeat(what, look, async () => {
    looks += 1;
    if (looks <= TURNS) await drainEventLoop(1);
    else {
      const waitedMs = systemClock.monotonic() - start;
      await sleep(systemClock, Math.min(waitedMs * PAUSE_SHARE, MAX_PAUSE_MS));
    }
  });
}

/** Waits for something that comes about while each look moves a fake clock on. */
export function stepUntil<Value>(what: string, look: Look<Value>): Promise<Value> {
  return repeat(what, look, () => drainEventLoop(1));
}

async function repeat<Value>(
  what: string,
  look: Look<Value>,
  pause: () => Promise<void>,
): Promise<Value> {
  const end = systemClock.monotonic() + TEST_DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (systemClock.monotonic() > end) throw new Error(`did not happen: ${what}`);
    await pause();
  }
}
