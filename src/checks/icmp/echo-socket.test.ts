import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { fstatSync, openSync } from "node:fs";
import { test } from "node:test";

import koffi from "koffi";

import { waitFor } from "../../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../../test/time/fake-clock.ts";
import { createIcmpSockets } from "./echo-socket.ts";
import type { SendEcho } from "./send-echo.ts";

/** The kernel's own ICMP only ever answers well, so here the packets go over UDP, to the port that ICMP ignores. */
const PORT = 1;
const NETWORK = `127.${randomInt(1, 255)}.${randomInt(256)}`;
const TARGET = `${NETWORK}.1`;
const STRANGER = `${NETWORK}.2`;
const TIMEOUT_MS = 3000;

interface Peer extends AsyncDisposable {
  readonly requests: readonly Buffer[];
  readonly send: (packet: Buffer, from?: "target" | "stranger") => void;
}

async function peer(): Promise<Peer> {
  const [target, stranger] = [await listenAt(TARGET), await listenAt(STRANGER)];
  const requests: Buffer[] = [];
  let answer: ((reply: Buffer, from: Socket) => void) | undefined;
  target.on("message", (packet, { address, port }) => {
    requests.push(packet);
    answer = (reply, from) => from.send(reply, port, address);
  });
  return {
    requests,
    send: (packet, from = "target") => answer?.(packet, from === "target" ? target : stranger),
    async [Symbol.asyncDispose]() {
      for (const socket of [target, stranger]) {
        socket.close();
        await once(socket, "close");
      }
    },
  };
}

async function listenAt(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(PORT, address);
  await once(socket, "listening");
  return socket;
}

const openUdp = koffi.load(null).func("int socket(int, int, int)");
const [AF_INET, SOCK_DGRAM] = [2, 2];

/** Creates the tested function with simulated network errors. */
function rig(): { send: SendEcho; network: { complains: boolean; listeners: number } } {
  const network = { complains: false, listeners: 0 };
  const send = createIcmpSockets(async () => ({
    open: () => openUdp(AF_INET, SOCK_DGRAM, 0),
    watchIcmpErrors() {
      network.listeners += 1;
      return { any: () => network.complains, [Symbol.dispose]: () => (network.listeners -= 1) };
    },
  }));
  return { send, network };
}

function begin(send: SendEcho, clock = fakeClock()) {
  const controller = new AbortController();
  const { signal } = controller;
  const roundTrip = send(TARGET, { ...clock, signal, timeoutMs: TIMEOUT_MS });
  roundTrip.catch(() => {});
  return { clock, controller, roundTrip };
}

const replyTo = (request: Buffer | undefined): Buffer => {
  const reply = Buffer.from(request ?? []);
  reply[0] = 0;
  return reply;
};

test("a request goes out three times in the timeout, and a reply to any of them ends the run", async () => {
  await using target = await peer();
  const { send, network } = rig();
  const { clock, roundTrip } = begin(send);
  await waitFor("the first request", () => target.requests.length === 1);
  await clock.advance(1000);
  await waitFor("the second request", () => target.requests.length === 2);
  await clock.advance(1000);
  await waitFor("the third request", () => target.requests.length === 3);
  await clock.advance(900);
  assert.equal(target.requests.length, 3);
  target.send(replyTo(target.requests[1]));
  assert.equal(await roundTrip, 1900);
  assert.deepEqual([clock.pending(), network.listeners], [0, 0]);
});

const changed = (packet: Buffer, at: number): Buffer => {
  packet.writeUInt8(packet.readUInt8(at) ^ 1, at);
  return packet;
};

const forgeries: readonly {
  name: string;
  forge: (request: Buffer) => Buffer;
  from?: "stranger";
}[] = [
  { name: "a reply from somebody else", forge: replyTo, from: "stranger" },
  { name: "a reply with another token", forge: (request) => changed(replyTo(request), 8) },
  { name: "a reply whose token ends otherwise", forge: (request) => changed(replyTo(request), 23) },
  {
    name: "a reply to a request that was not sent",
    forge: (request) => changed(replyTo(request), 7),
  },
  { name: "the request itself", forge: (request) => request },
  { name: "a reply that is cut off", forge: (request) => replyTo(request).subarray(0, 20) },
  { name: "a reply that goes on", forge: (request) => Buffer.concat([replyTo(request), request]) },
  { name: "nothing", forge: () => Buffer.alloc(0) },
];

for (const { name, forge, from } of forgeries) {
  test(`${name} is no reply`, async () => {
    await using target = await peer();
    const { send } = rig();
    const deceived = begin(send);
    await waitFor("the request", () => target.requests.length === 1);
    target.send(forge(Buffer.from(target.requests[0] ?? [])), from);
    const other = begin(send);
    await waitFor("the other request", () => target.requests.length === 2);
    target.send(replyTo(target.requests[1]));
    await other.roundTrip;
    deceived.controller.abort("over");
    await assert.rejects(deceived.roundTrip, {
      code: "interrupted",
      phase: "answer",
      address: TARGET,
    });
    assert.equal(deceived.clock.pending(), 0);
  });
}

test("a reply that comes too late, or once more, does no harm", async () => {
  await using target = await peer();
  const { send } = rig();
  const late = begin(send);
  await waitFor("the request", () => target.requests.length === 1);
  late.controller.abort("over");
  await assert.rejects(late.roundTrip);
  target.send(replyTo(target.requests[0]));
  const { roundTrip } = begin(send);
  await waitFor("the other request", () => target.requests.length === 2);
  target.send(replyTo(target.requests[1]));
  target.send(replyTo(target.requests[1]));
  await roundTrip;
  await drainEventLoop();
});

const looks = [
  { name: "at the third request", afterMs: 2000, ends: false },
  { name: "at the end", afterMs: 1000, ends: true },
];

for (const { name, afterMs, ends } of looks) {
  test(`an error of the network for the second request is read ${name}`, async () => {
    await using target = await peer();
    const { send, network } = rig();
    const { clock, controller, roundTrip } = begin(send);
    network.complains = true;
    await clock.advance(afterMs);
    if (ends) controller.abort("over");
    await assert.rejects(roundTrip, { code: "EHOSTUNREACH", address: TARGET });
    assert.deepEqual([clock.pending(), network.listeners], [0, 0]);
    assert.ok(target.requests.length <= 2);
  });
}

test("a listener that cannot be had is trouble of ours", async () => {
  const trouble = Object.assign(new Error("socket EMFILE"), { code: "EMFILE" });
  const send = createIcmpSockets(async () => ({
    open: () => openUdp(AF_INET, SOCK_DGRAM, 0),
    watchIcmpErrors() {
      throw trouble;
    },
  }));
  await using _ = await peer();
  const { clock, roundTrip } = begin(send);
  await clock.advance(1000);
  await assert.rejects(roundTrip, trouble);
  assert.equal(clock.pending(), 0);
});

test("who has no time to send anything blames nobody", async () => {
  const { controller, roundTrip } = begin(rig().send);
  controller.abort("over");
  await assert.rejects(roundTrip, { code: "unavailable" });
});

test("a socket that was refused is asked for again", async () => {
  await using target = await peer();
  let isRefused = true;
  const send = createIcmpSockets(async () => ({
    open() {
      if (isRefused) throw new Error("refused");
      return openUdp(AF_INET, SOCK_DGRAM, 0);
    },
    watchIcmpErrors: () => assert.fail("nobody waits so long"),
  }));
  await assert.rejects(begin(send).roundTrip, { message: "refused" });
  isRefused = false;
  const { roundTrip } = begin(send);
  await waitFor("the request", () => target.requests.length === 1);
  target.send(replyTo(target.requests[0]));
  assert.equal(await roundTrip, 0);
});

test("what is no socket is closed again", async () => {
  const fd = openSync("/dev/null", "r");
  const send = createIcmpSockets(async () => ({
    open: () => fd,
    watchIcmpErrors: () => assert.fail("nobody waits so long"),
  }));
  await assert.rejects(begin(send).roundTrip, { code: "ERR_INVALID_FD_TYPE" });
  assert.throws(() => fstatSync(fd), { code: "EBADF" });
});
