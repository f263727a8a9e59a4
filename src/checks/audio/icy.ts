import type { Socket } from "node:net";
import { compose, type Duplex } from "node:stream";

/** SHOUTcast servers before version 2 begin a response with this, and continue as in HTTP/1.0. */
const ICY = Buffer.from("ICY ");
const HTTP = Buffer.from("HTTP/1.0 ");

/** Rewrites that status line to HTTP/1.0, so that an HTTP parser accepts the response. */
export function icyAsHttp(socket: Socket): Duplex {
  const duplex = compose(socket, inHttp);
  // After the response nobody listens any more, and the socket is destroyed.
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
