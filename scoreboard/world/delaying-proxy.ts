import { connect, createServer, type Server, type Socket } from "node:net";

import { systemClock } from "../../src/kit/clock.ts";

/** Passes bytes on, either way, each piece as much later as it is told then. */
export function delayingProxy(
  delayMs: () => number,
  to: { readonly host: string; readonly port: number },
): Server {
  return createServer((client) => {
    const server = connect(to);
    for (const socket of [client, server]) socket.on("error", () => {});
    pass(client, server, delayMs);
    pass(server, client, delayMs);
  });
}

function pass(from: Socket, to: Socket, delayMs: () => number): void {
  from.on("data", (piece: Buffer) => {
    systemClock.setTimer(() => {
      if (!to.destroyed) to.write(piece);
    }, delayMs());
  });
  from.on("end", () => systemClock.setTimer(() => to.end(), delayMs()));
  from.on("close", () => systemClock.setTimer(() => to.destroy(), delayMs() + 1000));
}
