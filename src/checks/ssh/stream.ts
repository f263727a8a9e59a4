import type { Socket } from "node:net";
import { Duplex } from "node:stream";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { identificationEnd } from "./identification.ts";

const MOST_BYTES = 2 ** 20;

/** The stream that the SSH library uses in place of the socket. `onHead` gets what the server sends before encryption. */
export function sshStream(socket: Socket, onHead: (head: Uint8Array) => void): Duplex {
  // The library writes many small packets, and Nagle's algorithm would delay each by up to 40 ms.
  socket.setNoDelay();
  const pieces = withWholeHead(socket, onHead);
  const stream = new Duplex({
    allowHalfOpen: false,
    read() {
      pieces.next().then(
        ({ value, done }) => stream.push(done === true ? null : value),
        (error: Error) => stream.destroy(error),
      );
    },
    write(data, _, done) {
      socket.write(data);
      done();
    },
    // Closes fully at the end of our output, because the server may never close.
    final: () => void stream.destroy(),
  });
  return stream;
}

/** The library misreads an identification that arrives in more than two pieces, and never stops reading one without an end. So it gets the identification in one piece. */
async function* withWholeHead(
  chunks: AsyncIterable<Buffer>,
  onHead: (head: Uint8Array) => void,
): AsyncGenerator<Buffer, void> {
  let received = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > MOST_BYTES) throw new ProtocolError(`more than ${MOST_BYTES} bytes`);
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    onHead(head);
    const end = identificationEnd(head.toString("latin1"));
    if (end === undefined) continue;
    onHead(head.subarray(0, end));
    yield head;
    head = undefined;
  }
  if (head !== undefined) throw connectionClosed();
}
