import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Socket } from "node:net";
import test, { suite } from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../../test/time/fake-clock.ts";
import {
  ASKED,
  nameServer,
  replyTo,
  withLength,
  wireRecord,
  type NameServer,
  type DnsHandler,
} from "../../../test/peers/name-server.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { createEgress, type Egress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { queryDns, type DnsResponse, type DnsQuery, type DnsContext } from "./client.ts";
import { failureOf } from "../outcome/failure.ts";

const question = { name: "a.test", type: "A", recursive: true, extended: false } as const;
const record = wireRecord(ASKED, 1, Buffer.from([192, 0, 2, 1]));
const healthy: DnsHandler = (query) => [replyTo(query, { answer: [record] })];
const CUT = 0x8380;

function ask(
  { port }: Pick<NameServer, "port">,
  { call = {}, context = {} }: { call?: Partial<DnsQuery>; context?: Partial<DnsContext> } = {},
): Promise<DnsResponse> {
  return queryDns(
    { server: "localhost", port, transport: "udp", question, ...call },
    { ...contextOf(), setTimer: fakeClock().setTimer, ...context },
  );
}

function dataOf({ message }: DnsResponse): readonly string[] {
  return message.answer.map(({ data }) => data);
}

async function leavesNothing(): Promise<void> {
  await waitFor("every socket closed", () =>
    process.getActiveResourcesInfo().every((kind) => !["UDPWrap", "TCPSocketWrap"].includes(kind)),
  );
}

for (const transport of ["udp", "tcp"] as const) {
  test(`a question over ${transport} is answered, with the address and the phases`, async () => {
    await using server = await nameServer(healthy);
    const answer = await ask(server, { call: { transport } });
    assert.deepEqual([dataOf(answer), answer.address], [["192.0.2.1"], "127.0.0.1"]);
    assert.deepEqual(Object.keys(answer.phases), ["dns", "firstByte", "total"]);
    assert.deepEqual(
      server.queries.map((query) => query.transport),
      [transport],
    );
    await waitFor("no connection", () => server.openConnections() === 0);
  });
}

test("an answer that is too long for UDP is fetched over TCP", async () => {
  const records = Array.from({ length: 3000 }, () => record);
  await using server = await nameServer((query, transport) => [
    transport === "udp" ? replyTo(query, { flags: CUT }) : replyTo(query, { answer: records }),
  ]);
  assert.equal(dataOf(await ask(server)).length, 3000);
});

test("the address that was found is asked, over UDP and over TCP", async () => {
  const resolved: string[] = [];
  const egress: Egress = {
    async resolve(host) {
      resolved.push(host);
      return { address: "127.0.0.1", family: 4 };
    },
    isPublic: () => false,
  };
  await using server = await nameServer((query, transport) =>
    transport === "udp" ? [replyTo(query, { flags: CUT })] : healthy(query, transport),
  );
  await ask(server, { call: { server: "ns.test" }, context: { egress } });
  assert.deepEqual(resolved, ["ns.test", "127.0.0.1"]);
});

test("ids are not foreseeable", async () => {
  await using server = await nameServer(healthy);
  for (let turn = 0; turn < 8; turn += 1) await ask(server);
  const ids = server.queries.map(({ query }) => query.readUInt16BE(0));
  assert.ok(new Set(ids).size > 4, ids.join(" "));
});

test("packets that are no answer are passed over", async () => {
  await using server = await nameServer((query) => {
    const foreign = Buffer.from(query);
    foreign.writeUInt16BE(query.readUInt16BE(0) ^ 1, 0);
    const packets = [replyTo(foreign, {}), query, query.subarray(0, 5), Buffer.alloc(0)];
    return [...packets, ...healthy(query, "udp")];
  });
  assert.deepEqual(dataOf(await ask(server)), ["192.0.2.1"]);
});

test("a packet from somebody else is not even seen", async () => {
  let deliver: (() => void) | undefined;
  const stranger = createSocket("udp4");
  const peer = createSocket("udp4");
  peer.on("message", (query, { port, address }) => {
    const [forged = Buffer.alloc(0)] = healthy(query, "udp");
    stranger.send(forged, port, address, () => {
      deliver = () => peer.send(replyTo(query, { flags: 0x8003 }), port, address);
    });
  });
  peer.bind(0, "127.0.0.1");
  await once(peer, "listening");
  const asking = ask({ port: peer.address().port });
  await waitFor("a forged packet", () => deliver !== undefined);
  await drainEventLoop();
  deliver?.();
  assert.equal((await asking).message.code, "NXDOMAIN");
  peer.close();
  stranger.close();
});

test("a query that is lost is sent again after 1, 2 and 4 seconds, and it is the same", async () => {
  const clock = fakeClock();
  let lost = 3;
  await using server = await nameServer((query) => (lost-- > 0 ? [] : healthy(query, "udp")));
  const asking = ask(server, { context: { setTimer: clock.setTimer } });
  const count = (queries: number): Promise<unknown> =>
    waitFor(`${queries} queries`, () => server.queries.length === queries);
  await count(1);
  for (const [sent, seconds] of [1, 2, 4].entries()) {
    await clock.advance(seconds * 1000 - 1);
    assert.equal(server.queries.length, sent + 1);
    await clock.advance(1);
    await count(sent + 2);
  }
  assert.deepEqual(dataOf(await asking), ["192.0.2.1"]);
  assert.equal(new Set(server.queries.map(({ query }) => query.toString("hex"))).size, 1);
  assert.equal(clock.pending(), 0);
});

const broken: DnsHandler = (query) => [replyTo(query, { answer: [record.subarray(0, -1)] })];

const failures: readonly {
  name: string;
  manner: DnsHandler;
  transport: "udp" | "tcp";
  message: RegExp | string;
}[] = [
  {
    name: "malformed answer",
    manner: broken,
    transport: "udp",
    message: "Protocol error: a DNS message that is cut off",
  },
  {
    name: "malformed answer",
    manner: broken,
    transport: "tcp",
    message: "Protocol error: a DNS message that is cut off",
  },
  {
    name: "answer to another question",
    manner: (query) => [query],
    transport: "tcp",
    message: "Protocol error: an answer to another question",
  },
  {
    name: "empty answer",
    manner: () => [Buffer.alloc(0)],
    transport: "tcp",
    message: "Protocol error: an answer to another question",
  },
];

for (const { name, manner, transport, message } of failures) {
  test(`a ${name} over ${transport} fails as ${message}`, async () => {
    await using server = await nameServer(manner);
    const outcome = await ask(server, { call: { transport } }).then(() => undefined, failureOf);
    assert.equal(outcome?.message, message);
  });
}

for (const transport of ["udp", "tcp"] as const) {
  test(`a port where nobody listens over ${transport} is refused at once`, async () => {
    const port = await closedPort();
    const clock = fakeClock();
    const asking = ask({ port }, { call: { transport }, context: { setTimer: clock.setTimer } });
    const outcome = await asking.then(() => undefined, failureOf);
    assert.deepEqual(outcome, {
      passed: false,
      reason: "refused",
      text: "Connection refused",
      message: "Connection refused: 127.0.0.1",
      address: "127.0.0.1",
    });
    assert.equal(clock.pending(), 0);
  });
}

suite("over TCP", () => {
  const whole = (query: Buffer): Buffer => Buffer.concat(healthy(query, "tcp").map(withLength));
  const attending = (attend: (socket: Socket, query: Buffer) => void) =>
    nameServer(healthy, (socket) => {
      socket.once("data", (framed: Buffer) => attend(socket, framed.subarray(2)));
    });
  const overTcp = { call: { transport: "tcp" } } as const;

  test("an answer in pieces is put together, and what follows it is nothing", async () => {
    const write = async (socket: Socket, query: Buffer): Promise<void> => {
      for (const byte of whole(query)) {
        socket.write(Buffer.from([byte]));
        await drainEventLoop(1);
      }
      socket.write("more");
    };
    await using server = await attending((socket, query) => void write(socket, query));
    assert.deepEqual(dataOf(await ask(server, overTcp)), ["192.0.2.1"]);
    await waitFor("no connection", () => server.openConnections() === 0);
  });

  for (const [name, bytes] of [
    ["within its length", 1],
    ["within it", 20],
  ] as const) {
    test(`an answer that ends ${name} is a closed connection`, async () => {
      await using server = await attending((socket, query) =>
        socket.end(whole(query).subarray(0, bytes)),
      );
      const outcome = await ask(server, overTcp).then(() => undefined, failureOf);
      assert.equal(outcome?.message, "Connection closed while waiting for the answer");
    });
  }

  test("a server that floods is read no further than its answer", async () => {
    await using server = await attending((socket, query) => {
      const pour = (): void => {
        while (!socket.destroyed && socket.write(whole(query)));
      };
      socket.on("drain", pour);
      pour();
    });
    assert.deepEqual(dataOf(await ask(server, overTcp)), ["192.0.2.1"]);
    await waitFor("no connection", () => server.openConnections() === 0);
  });
});

for (const transport of ["udp", "tcp"] as const) {
  test(`silence over ${transport} is ended by the signal, and nothing stays`, async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    {
      await using server = await nameServer(() => []);
      const asking = ask(server, {
        call: { transport },
        context: { signal: controller.signal, setTimer: clock.setTimer },
      });
      await waitFor("a query", () => server.queries.length > 0);
      controller.abort("over");
      await assert.rejects(asking, {
        code: "interrupted",
        phase: "answer",
        address: "127.0.0.1",
      });
      await waitFor("no connection", () => server.openConnections() === 0);
    }
    assert.equal(clock.pending(), 0);
    await leavesNothing();
  });

  test(`nothing is asked over ${transport} where the signal has already aborted`, async () => {
    await using server = await nameServer(healthy);
    const context = { signal: AbortSignal.abort("over") };
    await assert.rejects(ask(server, { call: { server: "127.0.0.1", transport }, context }), {
      code: "interrupted",
      phase: "dns",
    });
    await drainEventLoop();
    assert.equal(server.queries.length, 0);
  });
}

test("the signal may abort in any turn of the loop, and nothing stays", async () => {
  for (let turns = 0; turns < 6; turns += 1) {
    const clock = fakeClock();
    const controller = new AbortController();
    {
      await using server = await nameServer(() => []);
      const asking = ask(server, {
        context: { signal: controller.signal, setTimer: clock.setTimer },
      });
      const ended = assert.rejects(asking, { code: "interrupted" });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      controller.abort("over");
      await ended;
      await drainEventLoop();
    }
    assert.equal(clock.pending(), 0);
    await leavesNothing();
  }
});

test("a server whose address is refused is not asked", async () => {
  await using server = await nameServer(healthy);
  const egress = createEgress({ mode: "public", resolver: createResolver() });
  await assert.rejects(ask(server, { context: { egress } }), { code: "blocked" });
  assert.equal(server.queries.length, 0);
});

test("what is no name is not asked for", async () => {
  await using server = await nameServer(healthy);
  const call = { question: { ...question, name: "a..test" } };
  await assert.rejects(ask(server, { call }), { code: "invalid_input" });
  assert.equal(server.queries.length, 0);
});
