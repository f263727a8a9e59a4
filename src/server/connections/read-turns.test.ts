import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { portOf } from "../../../test/peers/tcp.ts";
import { TEST_DEADLINE_MS, waitFor } from "../../../test/time/wait-for.ts";
import { createReceiveGaps, type ReceiveGaps } from "../../kit/http/receive-gaps.ts";
import { createReadTurns } from "./read-turns.ts";

interface Site extends AsyncDisposable {
  readonly open: (from: string) => Promise<Socket>;
  readonly closed: () => number;
  readonly receiveGaps: ReceiveGaps;
}

/** Starts a server whose handler takes `ms` to return. */
async function site(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  requestMs = 0,
): Promise<Site> {
  let now = 0;
  let closed = 0;
  const latest = new WeakMap<Socket, IncomingMessage>();
  const clock = { monotonic: () => now };
  const receiveGaps = createReceiveGaps(clock);
  const turns = createReadTurns({
    clock,
    receiveGaps,
    close({ socket }) {
      closed += 1;
      socket.destroy();
    },
  });
  const server = createServer((request, response) => {
    now += requestMs;
    latest.set(request.socket, request);
    handle(request, response);
  }).on("connection", (socket: Socket) =>
    turns.take({
      socket,
      client: socket.remoteAddress ?? "",
      payer: socket.remoteAddress ?? "",
      get latest() {
        return latest.get(socket);
      },
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  return {
    closed: () => closed,
    receiveGaps,
    async open(localAddress) {
      const isAccepted = once(server, "connection");
      const socket = connect({ host: "127.0.0.1", port: portOf(server), localAddress });
      sockets.push(socket.on("error", () => {}).resume());
      await isAccepted;
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function digestOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

const CHUNKED = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
const ONE_BYTE = "1\r\na\r\n";

suite("what connections receive", { timeout: TEST_DEADLINE_MS }, () => {
  // guard: turns of parsing
  test("is parsed in turns by client, however much one of them sends", async () => {
    const order: string[] = [];
    await using here = await site((request, response) => {
      order.push(request.socket.remoteAddress ?? "");
      response.end();
    }, 6);
    const flooding: Socket[] = [];
    for (let count = 0; count < 20; count += 1) flooding.push(await here.open("127.0.0.2"));
    const honest = await here.open("127.0.0.3");
    const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const socket of flooding) socket.write(request);
    honest.write(request);
    await waitFor("all requests", () => order.length === 21);
    assert.ok(order.indexOf("127.0.0.3") <= 3, order.join());
  });

  test("waits for one slice of each other client at most, however many of them send", async () => {
    const order: string[] = [];
    await using here = await site((request, response) => {
      order.push(request.socket.remoteAddress ?? "");
      response.end();
    }, 6);
    const sockets: Socket[] = [];
    for (let count = 0; count < 160; count += 1)
      sockets.push(await here.open(`127.0.1.${1 + (count % 40)}`));
    sockets.push(await here.open("127.0.0.3"));
    for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await waitFor("all requests", () => order.length === sockets.length);
    assert.ok(order.indexOf("127.0.0.3") <= 43, order.join());
  });

  test("counts as unread while it waits for its turn for longer than a second", async () => {
    const order: string[] = [];
    await using here = await site((request, response) => {
      order.push(request.socket.remoteAddress ?? "");
      response.end();
    }, 1200);
    const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const sockets = [await here.open("127.0.0.2")];
    for (let count = 0; count < 4; count += 1) sockets.push(await here.open("127.0.0.3"));
    for (const socket of sockets) socket.write(request);
    await waitFor("all requests", () => order.length === 5);
    assert.ok(here.receiveGaps.lastEnd("127.0.0.3") >= 1000, order.join());
    assert.equal(here.receiveGaps.waitsSince("127.0.0.3"), undefined);
    assert.equal(here.receiveGaps.lastEnd("127.0.0.2"), -Infinity);
  });

  test("is whole and in order, with its end", async () => {
    const digests: string[] = [];
    await using here = await site((request, response) => {
      const answer = async (): Promise<void> => {
        digests.push(digestOf(await buffer(request)));
        response.end();
      };
      setImmediate(() => void answer());
    }, 4);
    const bodies = [300_000, 5, 70_000].map((length) => randomBytes(length));
    const socket = await here.open("127.0.0.2");
    for (const [index, body] of bodies.entries()) {
      const close = index === bodies.length - 1 ? "Connection: close\r\n" : "";
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${close}Content-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    }
    socket.end();
    await once(socket, "close");
    assert.deepEqual(digests, bodies.map(digestOf));
  });

  // guard: bodies that nobody reads
  test("is not parsed while nobody reads the body", async () => {
    const requests: IncomingMessage[] = [];
    await using here = await site((request) => void requests.push(request));
    const socket = await here.open("127.0.0.2");
    socket.write(CHUNKED + ONE_BYTE.repeat(50_000));
    socket.write("0\r\n\r\n");
    await waitFor("the request", () => requests.length === 1);
    const [request] = requests;
    assert.ok(request);
    await waitFor("what is held", () => request.socket.readableLength > 50_000);
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    assert.ok(request.readableLength <= 1366, `${request.readableLength} chunks`);
    assert.equal((await buffer(request)).length, 50_000);
  });

  // guard: memory of what is not parsed
  test("is bounded while it is held: connections beyond that are closed", async () => {
    await using here = await site((request, response) => {
      if (request.method === "GET") response.end("fine");
    });
    for (let count = 0; count < 180; count += 1)
      (await here.open("127.0.0.2")).write(CHUNKED + ONE_BYTE.repeat(20_000));
    await waitFor("some are closed", () => here.closed() > 0);
    const other = await here.open("127.0.0.3");
    other.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(await text(other), /\r\n\r\nfine$/);
    assert.ok(here.closed() < 180);
  });
});
