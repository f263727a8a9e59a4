import assert from "node:assert/strict";
import type { Socket } from "node:net";
import test, { suite } from "node:test";
import { TLSSocket } from "node:tls";

import * as fc from "fast-check";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import {
  closing,
  dripping,
  flooding,
  resetting,
  silent,
  tcpPeer,
  type SocketHandler,
} from "../../../test/peers/tcp.ts";
import { passed, type Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { withPacketConnection, type PacketConnection } from "./packet-connection.ts";

const certificate = selfSigned();
const done = passed("done", "done");

async function talking(
  manner: SocketHandler,
  speak: (talk: PacketConnection) => Promise<unknown>,
  context: Partial<RunContext> = {},
): Promise<Outcome> {
  await using peer = await tcpPeer(manner);
  const call = { host: "localhost", port: peer.port };
  const outcome = await withPacketConnection(call, contextOf(context), async (talk) => {
    await speak(talk);
    return done;
  });
  await waitFor("the connection closed", () => peer.open() === 0);
  return outcome;
}

/** Each piece in a packet of its own. */
function inPieces(pieces: readonly (string | Uint8Array)[]): SocketHandler {
  const write = async (socket: Socket): Promise<void> => {
    socket.setNoDelay();
    for (const piece of pieces) {
      socket.write(piece);
      await drainEventLoop(3);
    }
    socket.end();
  };
  return (socket) => void write(socket);
}

test("what is read is what was sent, however it comes and however it is asked for", async () => {
  const piece = fc.uint8Array({ minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 5 }),
      fc.array(fc.nat(30)),
      async (sent, asked) => {
        const bytes = Buffer.concat(sent);
        const { message } = await talking(inPieces(sent), async ({ read }) => {
          let at = 0;
          for (const length of asked) {
            assert.deepEqual(await read(length), bytes.subarray(at, at + length));
            at += length;
          }
        });
        const isEnough = asked.reduce((one, other) => one + other, 0) <= bytes.length;
        assert.equal(message, isEnough ? "done" : "Connection closed while waiting for the answer");
      },
    ),
    { numRuns: 50 },
  );
});

const MAX = 2 ** 20;
const tooMuch = "Protocol error: more than 1048576 bytes";
for (const { name, manner, lengths, end } of [
  {
    name: "as much as may be",
    manner: flooding("x".repeat(999)),
    lengths: [1, MAX - 1],
    end: "done",
  },
  {
    name: "more than may be",
    manner: flooding("x".repeat(999)),
    lengths: [1, MAX],
    end: tooMuch,
  },
  {
    name: "more than may be of a drip",
    manner: dripping("xx"),
    lengths: [MAX + 1],
    end: tooMuch,
  },
  {
    name: "more than there is",
    manner: inPieces(["four"]),
    lengths: [4, 1],
    end: "Connection closed while waiting for the answer",
  },
  {
    name: "what was never sent",
    manner: closing,
    lengths: [1],
    end: "Connection closed while waiting for the answer",
  },
]) {
  test(`reading ${name} ends as ${end}`, async () => {
    const { message } = await talking(manner, async ({ read }) => {
      for (const length of lengths) await read(length);
    });
    assert.equal(message, end);
  });
}

test("a connection that breaks is an error of its own", async () => {
  const { reason, text } = await talking(resetting, ({ read }) => read(1));
  assert.deepEqual([reason, text], ["protocol", "Connection reset"]);
});

for (const [name, manner] of [
  ["silence", silent],
  ["a drip", dripping("xx")],
] as const) {
  test(`${name} is ended by the signal`, async () => {
    const controller = new AbortController();
    const { reason, message } = await talking(
      manner,
      async ({ read, write }) => {
        const reading = read(1000);
        await drainEventLoop();
        controller.abort("over");
        await assert.rejects(reading, { code: "interrupted", phase: "answer" });
        write(Buffer.from("nobody reads this"));
        await read(1000);
      },
      { signal: controller.signal },
    );
    assert.deepEqual([reason, message], ["timeout", "Timeout waiting for the answer"]);
  });
}

suite("TLS", () => {
  /** Waits for one packet, and sends this before switching to TLS. */
  const turning =
    (before: string): SocketHandler =>
    (socket) =>
      socket.once("data", () => {
        socket.write(before);
        socket.pause();
        const secured = new TLSSocket(socket, { isServer: true, ...certificate });
        secured.on("error", () => {});
        secured.on("data", (chunk) => secured.write(chunk));
      });
  const turn = async ({ read, write, startTls }: PacketConnection, before = 0): Promise<void> => {
    write(Buffer.from("go"));
    await read(before);
    const { matchesHost } = await startTls();
    assert.ok(matchesHost);
    write(Buffer.from("secret"));
    assert.deepEqual(await read(6), Buffer.from("secret"));
  };

  test("goes on where it was plain, with the certificate and its time", async () => {
    const outcome = await talking(turning("yes"), (talk) => turn(talk, 3));
    assert.equal(outcome.message, "done");
    assert.equal(outcome.certificate?.subject, "localhost");
    assert.deepEqual(Object.keys(outcome.timings ?? {}), [
      "dns",
      "connect",
      "tls",
      "firstByte",
      "total",
    ]);
  });

  test("refuses what was slipped in before the handshake", async () => {
    const { message } = await talking(turning("yes!"), (talk) => turn(talk, 3));
    assert.equal(message, "Protocol error: more than its agreement before the TLS handshake");
  });

  test("that stalls is ended by the signal", async () => {
    const controller = new AbortController();
    const { message } = await talking(
      (socket) => socket.once("data", () => controller.abort("over")),
      (talk) => turn(talk),
      { signal: controller.signal },
    );
    assert.equal(message, "Timeout in the TLS handshake");
  });
});

for (const [said, evidence] of [
  ["SSH-2.0-x\r\n", "SSH-2.0-x\r\n"],
  [Buffer.from([0, 1, 2]), "(3 bytes that are no text)"],
  ["x".repeat(9000), "x".repeat(4096)],
  [Buffer.alloc(9000), "(4096 bytes that are no text)"],
] as const) {
  test(`of ${said.length} bytes the evidence is ${JSON.stringify(evidence.slice(0, 26))}`, async () => {
    const outcome = await talking(inPieces([said]), ({ read }) => read(10_000));
    assert.equal(outcome.evidence, evidence);
  });
}

test("what the talk says of itself is better evidence", async () => {
  await using peer = await tcpPeer(inPieces(["raw"]));
  const call = { host: peer.host, port: peer.port };
  const outcome = await withPacketConnection(call, contextOf(), async ({ read }) => {
    await read(3);
    return { ...done, evidence: "cooked" };
  });
  assert.equal(outcome.evidence, "cooked");
});

test("trouble of our own is thrown, and the connection closed", async () => {
  const trouble = new TypeError("a mistake of ours");
  await using peer = await tcpPeer(silent);
  const call = { host: peer.host, port: peer.port };
  await assert.rejects(
    withPacketConnection(call, contextOf(), () => Promise.reject(trouble)),
    trouble,
  );
  await waitFor("the connection closed", () => peer.accepted() === 1 && peer.open() === 0);
});
