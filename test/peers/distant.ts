import { connect, createServer, type Socket } from "node:net";

import { systemClock } from "../../src/kit/clock.ts";
import { listen, type Peer } from "./tcp.ts";

export interface DistantPeer extends Peer {
  /** Time from a request to the response of a server that answers at once; it may be set at any time. */
  roundTripMs: number;
}

interface Distance {
  /** Where the server is, and where this peer is. */
  readonly host?: string;
  readonly port: number;
  readonly roundTripMs?: number;
  /** Any free one by default. */
  readonly ownPort?: number;
}

/** A server of this machine as if it were far away: what either side sends arrives half a round trip later, in order. */
export async function distantPeer({
  host = "127.0.0.1",
  port,
  roundTripMs = 0,
  ownPort = 0,
}: Distance): Promise<DistantPeer> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port, host, noDelay: true, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      carry(from, to, () => peer.roundTripMs / 2);
  });
  const peer: DistantPeer = { ...(await listen(server, host, ownPort)), roundTripMs };
  return peer;
}

function carry(from: Socket, to: Socket, delayMs: () => number): void {
  const inFlight: (() => void)[] = [];
  /** Data sent earlier arrives first, even if the delay was reduced since. */
  const later = (act: () => void): void => {
    inFlight.push(act);
    systemClock.setTimer(() => inFlight.shift()?.(), delayMs());
  };
  from.on("data", (bytes) => later(() => void to.write(bytes)));
  from.on("end", () => later(() => to.end()));
  from.on("close", () => later(() => to.destroy()));
  from.on("error", () => {});
}
