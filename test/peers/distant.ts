import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

import { systemClock } from "../../src/kit/clock.ts";
import { listen } from "./tcp.ts";
import type { Peer } from "./tcp.ts";

export interface DistantPeer extends Peer {
  /** Time from a request to the response of a server that answers at once. */
  roundTripMs: number;
}

/** A server of this machine as if it were far away: what either side sends arrives half a round trip later, in order. */
export async function distantPeer(
  port: number,
  roundTripMs: number,
  ownPort = 0,
): Promise<DistantPeer> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      carry(from, to, () => peer.roundTripMs / 2);
  });
  const peer: DistantPeer = { ...(await listen(server, "127.0.0.1", ownPort)), roundTripMs };
  return peer;
}

function carry(from: Socket, to: Socket, delayMs: () => number): void {
  const later = (act: () => void): void => void systemClock.setTimer(act, delayMs());
  from.on("data", (bytes) => later(() => void to.write(bytes)));
  from.on("end", () => later(() => to.end()));
  from.on("close", () => later(() => to.destroy()));
  from.on("error", () => {});
}
