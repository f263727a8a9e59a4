import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

import type { Clock } from "../../kit/clock.ts";

/** A connection that receives requests. */
export interface Receiving {
  readonly socket: Socket;
  /** The request that came last. */
  latest: IncomingMessage | undefined;
  /** What had been received when it was first seen that all of a request has. */
  idle: { readonly after: IncomingMessage | undefined; readonly bytes: number };
}

/** How often connections are looked at that send what is no request. */
const LOOK_MS = 100;
/**
 * A head has 64 KiB at most, and as much is read at once. Empty lines before a request are ignored (RFC 9112, section 2.2), and count as no
 * part of its head.
 */
const MOST_BYTES_BEFORE_HEAD = 131_072;

/** Calls `look` again and again while it is true. */
export function lookRegularly(
  { setTimer }: Pick<Clock, "setTimer">,
  look: () => boolean,
): () => void {
  let isDue = false;
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    setTimer(() => {
      isDue = false;
      if (look()) later();
    }, LOOK_MS);
  };
  return later;
}

/** Whether it has sent more since its last request than the head of another one can have. */
export function sendsNoRequest(connection: Receiving): boolean {
  const { socket, latest, idle } = connection;
  if (latest?.complete === false) return false;
  if (latest !== idle.after) connection.idle = { after: latest, bytes: socket.bytesRead };
  return socket.bytesRead - connection.idle.bytes > MOST_BYTES_BEFORE_HEAD;
}
