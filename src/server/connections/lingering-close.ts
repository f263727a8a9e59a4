import type { Socket } from "node:net";

import type { Clock } from "../../kit/clock.ts";

/** More than the buffers of both ends hold, which the client fills before it reads the response. */
const MOST_BYTES = 8 * 2 ** 20;
/** As common servers do. */
const MOST_MS = 2000;

/**
 * Ends a connection on which more is being received, such as the body of a request that is refused. A socket that is closed before all of
 * it was read is reset, and the response may be lost with that: so only our end is closed, and what still comes is thrown away for a while
 * (RFC 9112, section 9.6).
 */
export function closeLingering(socket: Socket, clock: Pick<Clock, "setTimer">): void {
  if (socket.destroyed) return;
  let bytes = 0;
  // Not by the parser, which takes 15 ms for a read of 64 KiB that holds the smallest chunks.
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) socket.destroy();
  });
  const timer = clock.setTimer(() => socket.destroy(), MOST_MS);
  socket.once("end", () => socket.destroy()).once("close", timer.cancel);
  socket.end();
  socket.resume();
}
