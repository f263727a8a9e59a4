import { createDeadline } from "../../kit/abort.ts";
import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import { createIcmpSockets } from "./echo-socket.ts";
import { loadIcmpLibc } from "./libc.ts";
import { createPingProgram } from "./ping-program.ts";

const OURSELVES = "127.0.0.1";
const ANSWER_MS = 2000;

/** Returns the available method for ping requests; throws if there is none. */
export async function findPingMethod(
  clock: Pick<Clock, "monotonic" | "setTimer">,
): Promise<"socket" | "program"> {
  using deadline = createDeadline(clock, ANSWER_MS);
  const { monotonic, setTimer } = clock;
  const context = { signal: deadline.signal, monotonic, setTimer, timeoutMs: ANSWER_MS };
  const socketTrouble = await createIcmpSockets(loadIcmpLibc)(OURSELVES, context).then(
    () => undefined,
    messageOf,
  );
  if (socketTrouble === undefined) return "socket";
  await createPingProgram()(OURSELVES, context).catch((cause: unknown) => {
    throw new Error(`${socketTrouble}; ${messageOf(cause)}`, { cause });
  });
  return "program";
}
