import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { portOf } from "../../../test/peers/tcp.ts";
import { TEST_DEADLINE_MS } from "../../../test/time/wait-for.ts";
import { codeOf } from "../../kit/errors.ts";
import { openListeningSockets } from "./listening-sockets.ts";

const CONNECTIONS = 64;

suite("sockets that listen for one server", { timeout: TEST_DEADLINE_MS }, () => {
  // guard: connections accepted in a turn
  test("accept many connections in a turn of the event loop, and serve them alike", async (context) => {
    const server = createServer((_, response) => response.end("fine"));
    const sockets = await openListeningSockets(server, { host: "127.0.0.1", port: 0 });
    server.listen(sockets.place);
    await once(server, "listening");
    context.after(async () => {
      server.closeAllConnections();
      server.close();
      await sockets.close();
    });
    let accepted = 0;
    server.on("connection", () => (accepted += 1));
    const clients = Array.from({ length: CONNECTIONS }, () =>
      connect(sockets.place.port, "127.0.0.1"),
    );
    const answers = clients.map(answerTo);
    // All of them are in the queues of the system after this.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    let turns = 0;
    for (; accepted < CONNECTIONS; turns += 1) await setImmediate();
    assert.ok(turns < CONNECTIONS / 4, `${turns} turns`);
    for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1.1 200 /);
  });

  test("close what is refused before anything is made for it, whichever of them accepts it", async (context) => {
    const asked: string[] = [];
    const server = createServer((_, response) => response.end("fine"));
    const refuses = (address: string): boolean => {
      asked.push(address);
      return address === "127.0.0.9";
    };
    const sockets = await openListeningSockets(server, { host: "127.0.0.1", port: 0, refuses });
    server.listen(sockets.place);
    await once(server, "listening");
    context.after(async () => {
      server.closeAllConnections();
      server.close();
      await sockets.close();
    });
    let accepted = 0;
    server.on("connection", () => (accepted += 1));
    const connectFrom = (localAddress: string): Socket =>
      connect({ port: sockets.place.port, host: "127.0.0.1", localAddress });
    const refused = Array.from({ length: CONNECTIONS }, () => connectFrom("127.0.0.9"));
    await Promise.all(refused.map((socket) => once(socket.resume(), "close")));
    assert.equal(accepted, 0);
    assert.equal(asked.length, CONNECTIONS);
    assert.match(await answerTo(connectFrom("127.0.0.8")), /^HTTP\/1.1 200 /);
  });

  test("are not opened where another program listens", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const place = { host: "127.0.0.1", port: portOf(other) };
    const opened = openListeningSockets(createServer(), place);
    await assert.rejects(opened, (error) => codeOf(error) === "EADDRINUSE");
    other.close();
  });
});

async function answerTo(socket: Socket): Promise<string> {
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const [answer]: Buffer[] = await once(socket, "data");
  return String(answer);
}
