import type { Socket } from "node:net";
import { compose } from "node:stream";
import type { Duplex } from "node:stream";

/** How SHOUTcast servers before version 2 begin an answer that goes on as in HTTP/1.0. */
const ICY = Buffer.from("ICY ");
const HTTP = Buffer.from("HTTP/1.0 ");

/** The socket of a server that may speak that dialect, as a parser of HTTP can hear it. */
export function icyAsHttp(socket: Socket): Duplex {
  const duplex = compose(socket, inHttp);
  // Whoever has the answer listens no more, and destroys the socket.
  return duplex.on("error", () => {});
}

async function* inHttp(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (begun.length >= ICY.length) {
      yield chunk;
      continue;
    }
    begun = Buffer.concat([begun, chunk]);
    if (begun.length < ICY.length) continue;
    const rest = begun.subarray(ICY.length);
    yield begun.subarray(0, ICY.length).equals(ICY) ? Buffer.concat([HTTP, rest]) : begun;
  }
}
