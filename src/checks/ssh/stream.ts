import type { Socket } from "node:net";
import { Duplex } from "node:stream";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { identificationEnd } from "./identification.ts";

const MOST_BYTES = 2 ** 20;

/** What the SSH library reads and writes in place of the socket. Told is what the server says before it speaks in secret. */
export function sshStream(socket: Socket, onHead: (head: Uint8Array) => void): Duplex {
  // It writes many small packets, each of which would wait 40 ms for the other side to say that it has the one before.
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
    // Who has nothing more to say hears no more, for the other side may never hang up.
    final: () => void stream.destroy(),
  });
  return stream;
}

/** The library misreads a head that comes in more than two pieces, and reads one without an end for ever. */
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
