import type { Clock, Timer } from "../../kit/clock.ts";
import type { ProbeThread } from "./probe-thread.ts";
import type { ThreadSupply } from "./thread-supply.ts";
import type { ThreadReply, ThreadRequest } from "./protocol.ts";

/** A thread that runs one request at a time, so that who ends it is known; it exists while there are requests. */
export interface Isolation {
  /** Undefined if the thread ended; `expired` if the request waited too long. */
  readonly run: (
    request: ThreadRequest,
    withinMs: number,
  ) => Promise<ThreadReply | "expired" | undefined>;
  /** Waits for nothing any more; its thread ends with all others. */
  readonly close: () => void;
}

const KEPT_IDLE_MS = 60_000;

export function createIsolation(
  { take, release }: Pick<ThreadSupply, "take" | "release">,
  clock: Pick<Clock, "monotonic" | "setTimer">,
): Isolation {
  let thread: ProbeThread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: Timer | undefined;

  const releaseIdle = async (): Promise<void> => {
    const released = thread;
    thread = undefined;
    if (released !== undefined) await release(released);
  };
  const runNow = async (request: ThreadRequest): Promise<ThreadReply | undefined> => {
    idle?.cancel();
    thread ??= take({ ready() {}, ended() {} });
    const reply = await thread.request(request);
    if (reply === undefined) thread = undefined;
    return reply;
  };

  return {
    run(request, withinMs) {
      const expiresAt = clock.monotonic() + withinMs;
      waiting += 1;
      const turn = last
        .then(async () => (clock.monotonic() >= expiresAt ? "expired" : runNow(request)))
        .finally(() => {
          waiting -= 1;
          if (waiting > 0 || thread === undefined) return;
          idle?.cancel();
          idle = clock.setTimer(() => void releaseIdle(), KEPT_IDLE_MS);
        });
      last = turn;
      return turn;
    },
    close: () => idle?.cancel(),
  };
}
