import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { portOf } from "../../../test/peers/tcp.ts";
import { TEST_DEADLINE_MS, waitFor } from "../../../test/time/wait-for.ts";
import { fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import { PROXY } from "../../kit/http/client-address.ts";
import { createReceiveGaps, type ReceiveGaps } from "../../kit/http/receive-gaps.ts";
import { createConnectionLimits } from "./connection-limits.ts";

interface Site extends AsyncDisposable {
  /** Connects from an address of this machine, and sends this. */
  readonly open: (from: string, sent?: string) => Promise<Socket>;
  readonly isOpen: (socket: Socket) => boolean;
  readonly clock: FakeClock;
  readonly receiveGaps: ReceiveGaps;
  /** The bytes of each connection, in the order in which they were opened. */
  readonly received: () => readonly number[];
  /** Counted events. */
  readonly counted: readonly string[];
  /** The clients of requests that were answered as they asked. */
  readonly served: readonly string[];
  readonly refuses: (address: string) => boolean;
  /** Requests that hang until they are answered here. */
  readonly hanging: readonly ServerResponse[];
}

const MIB = 2 ** 20;
const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const HANG = "GET /hang HTTP/1.1\r\nHost: x\r\n\r\n";
const HALF = "POST /hang HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";

async function site(limits: { most: number; maxPerClient: number; proxy?: string }): Promise<Site> {
  const counted: string[] = [];
  const served: string[] = [];
  const clock = fakeClock();
  const receiveGaps = createReceiveGaps(clock);
  const hanging: ServerResponse[] = [];
  const closed = new WeakSet<Socket>();
  const sockets: Socket[] = [];
  const accepted = new Set<Socket>();
  const connections = createConnectionLimits({
    ...limits,
    clock,
    shedding: {
      refuses: (client) => ["127.0.0.9", "127.0.0.8"].includes(client),
      answers: (client) => client === "127.0.0.8",
      served: (client) => void served.push(client),
    },
    peerOf: (address) => (address === limits.proxy ? PROXY : address),
    receiveGaps,
    meter: {
      count: (event, labels = {}) => void counted.push([event, ...Object.values(labels)].join(" ")),
      observe() {},
    },
  });
  const server = createServer((request, response) => {
    if (!connections.received(request, response)) return;
    if (request.url === "/hang") hanging.push(response);
    else if (request.url === "/refuse")
      response.writeHead(403, { connection: "close" }).end("refused");
    else if (request.method === "POST") request.resume().on("end", () => response.end("read"));
    else response.end("fine");
  })
    .on("connection", connections.opened)
    .on("connection", (socket) => accepted.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    clock,
    counted,
    served,
    refuses: connections.refuses,
    receiveGaps,
    hanging,
    received: () => [...accepted].map(({ bytesRead }) => bytesRead),
    isOpen: (socket) => !closed.has(socket),
    async open(localAddress, sent) {
      const isAccepted = once(server, "connection");
      const socket = connect({ host: "127.0.0.1", port: portOf(server), localAddress });
      sockets.push(
        socket
          .on("error", () => {})
          .on("close", () => closed.add(socket))
          .resume(),
      );
      await isAccepted;
      if (sent === undefined) return socket;
      const began = once(server, "request");
      socket.write(sent);
      await began;
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** All that comes until the other end is closed; ours stays open. */
async function answerTo(socket: Socket): Promise<string> {
  socket.allowHalfOpen = true;
  const pieces: string[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(String(piece)));
  await once(socket, "end");
  return pieces.join("");
}

suite("connections", { timeout: TEST_DEADLINE_MS }, () => {
  test("that are refused unread count as such; a trusted proxy, which connects for many, is never refused", async () => {
    await using here = await site({ most: 2, maxPerClient: 2, proxy: "127.0.0.7" });
    assert.equal(here.refuses("127.0.0.9"), true);
    assert.equal(here.refuses("127.0.0.2"), false);
    assert.equal(here.refuses("127.0.0.7"), false);
    assert.deepEqual(here.counted, ["http.connection_dropped"]);
    assert.equal(here.receiveGaps.lastEnd("127.0.0.9"), here.clock.monotonic());
  });

  test("that are refused with an answer get a 503 that says when to try again, and no request of theirs is worked on", async () => {
    await using here = await site({ most: 9, maxPerClient: 9 });
    const { remotePort: port = 0 } = await here.open("127.0.0.2", REQUEST);
    assert.equal(here.refuses("127.0.0.8"), false);
    const refused = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.8" });
    refused.write(HANG);
    const answer = await answerTo(refused);
    assert.match(answer, /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*too busy/);
    refused.destroy();
    assert.equal(here.hanging.length, 0);
    assert.deepEqual(here.counted, ["http.connection_dropped"]);
    const next = await here.open("127.0.0.8");
    next.write(REQUEST);
    const [fine] = await once(next, "data");
    assert.match(String(fine), / 200 /);
  });

  test("know whose requests were answered as they asked", async () => {
    await using here = await site({ most: 100, maxPerClient: 100 });
    const refused = await here.open("127.0.0.2", REQUEST.replace("/", "/refuse"));
    assert.match(await answerTo(refused), / 403 /);
    await here.open("127.0.0.4", HALF);
    await here.open("127.0.0.3", REQUEST);
    await waitFor("the end of the response", () => here.served.length > 0);
    assert.deepEqual(here.served, ["127.0.0.3"]);
  });

  /* guard: connections of a client */ test("of one client beyond its limit close the one that has waited longest, and none of another client", async () => {
    await using here = await site({ most: 100, maxPerClient: 2 });
    const other = await here.open("127.0.0.3");
    const [first, second] = [await here.open("127.0.0.2"), await here.open("127.0.0.2")];
    first.write(REQUEST);
    await once(first, "data");
    const third = await here.open("127.0.0.2", REQUEST);
    await waitFor("the second is closed", () => !here.isOpen(second));
    assert.deepEqual([other, first, third].map(here.isOpen), [true, true, true]);
    assert.deepEqual(here.counted, ["http.connection_closed address"]);
    assert.equal(here.receiveGaps.lastEnd("127.0.0.2"), here.clock.monotonic());
    assert.equal(here.receiveGaps.lastEnd("127.0.0.3"), -Infinity);
  });

  test("that wait for the rest of a request are closed, those that are worked on are not", async () => {
    await using here = await site({ most: 100, maxPerClient: 2 });
    const worked = await here.open("127.0.0.2", HANG);
    const half = await here.open("127.0.0.2", HALF);
    await here.open("127.0.0.2", HANG);
    await waitFor("the half request is closed", () => !here.isOpen(half));
    const refused = connect({
      host: "127.0.0.1",
      port: worked.remotePort ?? 0,
      localAddress: "127.0.0.2",
    });
    assert.match(
      await text(refused),
      /^HTTP\/1.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\{"error":"too many connections: close some, or try again"\}$/,
    );
    assert.ok(here.isOpen(worked));
    assert.deepEqual(here.counted, ["http.connection_closed address", "http.connection_refused"]);
    const finished = once(worked, "data");
    here.hanging[0]?.end("done");
    assert.match(String(await finished), /done/);
  });

  // guard: connections in all
  test("in all beyond the limit close one of the client that has most", async () => {
    await using here = await site({ most: 4, maxPerClient: 0 });
    const honest = await here.open("127.0.0.3");
    const open: Socket[] = [];
    for (let count = 0; count < 3; count += 1) open.push(await here.open("127.0.0.2"));
    const newcomer = await here.open("127.0.0.4", REQUEST);
    await waitFor("one of three is closed", () => !open.every(here.isOpen));
    assert.deepEqual(open.map(here.isOpen), [false, true, true]);
    assert.deepEqual([honest, newcomer].map(here.isOpen), [true, true]);
    assert.deepEqual(here.counted, ["http.connection_closed all"]);
  });

  test("of a trusted proxy are as many as it needs, and the last to go where all are too many", async () => {
    await using here = await site({ most: 4, maxPerClient: 1, proxy: "127.0.0.9" });
    const stranger = await here.open("127.0.0.2");
    const proxied: Socket[] = [];
    for (let count = 0; count < 4; count += 1) proxied.push(await here.open("127.0.0.9"));
    await waitFor("the stranger's is closed", () => !here.isOpen(stranger));
    assert.deepEqual(proxied.map(here.isOpen), [true, true, true, true]);
    await here.open("127.0.0.9", REQUEST);
    await waitFor("the proxy loses one", () => !proxied.every(here.isOpen));
  });

  // guard: bytes before a request
  test("that send empty lines before a request are closed, those that send large requests are not", async () => {
    await using here = await site({ most: 9, maxPerClient: 9 });
    const large = "x".repeat(300_000);
    const headers = `X-Large: ${"x".repeat(15_000)}\r\n`;
    const honest = await here.open("127.0.0.2");
    const flooding = await here.open("127.0.0.2", REQUEST);
    for (let sent = 0; sent < 20; sent += 1) {
      const answered = once(honest, "data");
      honest.write(
        `\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 300000\r\n\r\n`,
      );
      await here.clock.advance(100);
      honest.write(large);
      await answered;
      await here.clock.advance(100);
    }
    flooding.write("\r\n".repeat(75_000));
    await waitFor("the empty lines", () => (here.received()[1] ?? 0) > 150_000);
    await here.clock.advance(100);
    await waitFor("the connection is closed", () => !here.isOpen(flooding));
    assert.ok(here.isOpen(honest));
    assert.deepEqual(here.counted, ["http.connection_closed head"]);
    assert.equal(here.clock.pending(), 1);
  });

  for (const kind of ["chunks", "length"] as const) {
    // guard: responses to refused bodies
    test(`whose request is refused while its body comes get the whole response, and no reset: by ${kind}`, async () => {
      await using here = await site({ most: 9, maxPerClient: 9 });
      const framing = kind === "chunks" ? "Transfer-Encoding: chunked" : "Content-Length: 1048576";
      const socket = await here.open("127.0.0.2");
      const errors: string[] = [];
      socket.on("error", ({ message }) => errors.push(message));
      const answer = answerTo(socket);
      socket.write(`POST /refuse HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
      for (let sent = 0; sent < 60; sent += 1) {
        socket.write(kind === "chunks" ? `2000\r\n${"x".repeat(8192)}\r\n` : "x".repeat(8192));
        await new Promise(setImmediate);
      }
      assert.match(await answer, /^HTTP\/1.1 403 [^]*\r\nrefused\r\n/);
      socket.end();
      await waitFor("it is closed", () => !here.isOpen(socket));
      assert.deepEqual(errors, []);
    });
  }

  // guard: bodies after a refusal
  test("that go on sending after a refusal are closed in time", async () => {
    await using here = await site({ most: 9, maxPerClient: 9 });
    const socket = await here.open("127.0.0.2");
    const answer = answerTo(socket);
    socket.write("POST /refuse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await answer;
    await here.clock.advance(1999);
    assert.ok(here.isOpen(socket));
    await here.clock.advance(1);
    await waitFor("it is closed", () => {
      // Only who writes notices that the other end is closed.
      socket.write("x");
      return !here.isOpen(socket);
    });
    const flooding = await here.open("127.0.0.2");
    const refusal = answerTo(flooding);
    flooding.write("POST /refuse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await refusal;
    await waitFor("the other is closed", () => {
      if (!flooding.writableNeedDrain) flooding.write("x".repeat(MIB));
      return !here.isOpen(flooding);
    });
  });

  /* guard: requests of one connection */ test("with many requests at once get as many worked on as may wait, and a refusal", async () => {
    await using here = await site({ most: 9, maxPerClient: 9 });
    const socket = await here.open("127.0.0.2");
    const answers = text(socket);
    socket.write(HANG.repeat(2000));
    await waitFor("the requests", () => here.hanging.length > 0);
    assert.equal(here.hanging.length, 8);
    for (const response of here.hanging) response.end();
    const statuses = (await answers).match(/^HTTP\/1.1 \d+/gm) ?? [];
    assert.deepEqual(statuses, [...Array(8).fill("HTTP/1.1 200"), "HTTP/1.1 429"]);
  });
});
