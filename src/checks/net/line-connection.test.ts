import assert from "node:assert/strict";
import type { Socket } from "node:net";
import test, { suite } from "node:test";

import { z } from "zod";

import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { certificateFacts, selfSigned } from "../../../test/peers/certificates.ts";
import { lineServer } from "../../../test/peers/line-server.ts";
import {
  closedPort,
  closing,
  dripping,
  flooding,
  silent,
  tcpPeer,
  type SocketHandler,
  type Peer,
} from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { passed, type Outcome } from "../../domain/run/outcome.ts";
import { defineCheckType, type RunContext } from "../check-type.ts";
import { withLineConnection, openLineConnection, type LineConnection } from "./line-connection.ts";
import { host, portNumber } from "../parameters/parameters.ts";
import { readReply } from "./reply.ts";
import { term } from "../../schema/words.ts";

const certificate = selfSigned();
const healthy = lineServer({ greeting: "220 ready\r\n", answers: { QUIT: "221 bye\r\n" } });

async function greet(talk: LineConnection): Promise<Outcome> {
  const { code } = await readReply(talk);
  return passed(String(code), "Success");
}

const greetingCheck = defineCheckType({
  type: "GREETING",
  title: term("Greeting"),
  group: "network",
  summary: term("Reads a greeting"),
  target: "host",
  example: { target: "example.com", port: 25 },
  schema: z.object({ target: host, port: portNumber }),
  run: ({ target, port }, context) => withLineConnection({ host: target, port }, context, greet),
});

const secretGreetingCheck = defineCheckType({
  ...greetingCheck,
  type: "SECRET GREETING",
  schema: z.object({ target: host, port: portNumber }),
  run: ({ target, port }, context) =>
    withLineConnection({ host: target, port }, context, async (talk) => {
      await talk.startTls();
      return greet(talk);
    }),
});

const parameters = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(greetingCheck, {
  healthy: () => tcpPeer(healthy),
  parameters,
  endings: {
    silence: "timeout",
    drip: "protocol",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

checkTypeContract(secretGreetingCheck, {
  healthy: () => tlsPeer(certificate, healthy),
  parameters,
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

async function talking<Value>(
  manner: SocketHandler,
  speak: (talk: LineConnection) => Promise<Value>,
  context: Partial<RunContext> = {},
): Promise<Value> {
  await using peer = await tcpPeer(manner);
  using talk = await openLineConnection({ host: "localhost", port: peer.port }, contextOf(context));
  const value = await speak(talk);
  talk[Symbol.dispose]();
  await waitFor("the connection closed", () => peer.open() === 0);
  return value;
}

/** Each piece in a packet of its own. */
function inPieces(...pieces: readonly (string | Buffer)[]): SocketHandler {
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

suite("what is read", () => {
  const euro = Buffer.from("€\r\n");
  const rows = [
    { name: "one line", pieces: ["hello\r\n"], lines: ["hello"] },
    { name: "two lines at once", pieces: ["one\r\ntwo\r\n"], lines: ["one", "two"] },
    { name: "a line in pieces", pieces: ["o", "n", "e\r", "\ntw", "o\r\n"], lines: ["one", "two"] },
    { name: "lines without a return", pieces: ["one\ntwo\n"], lines: ["one", "two"] },
    { name: "an empty line", pieces: ["\r\n\n"], lines: ["", ""] },
    { name: "a return within a line", pieces: ["o\rne\r\n"], lines: ["o\rne"] },
    {
      name: "a letter in two pieces",
      pieces: [euro.subarray(0, 1), euro.subarray(1)],
      lines: ["€"],
    },
    { name: "bytes that are no text", pieces: [Buffer.from([0xff, 0x0a])], lines: ["\ufffd"] },
    { name: "the longest line", pieces: [`${"x".repeat(16_384)}\n`], lines: ["x".repeat(16_384)] },
  ];
  for (const { name, pieces, lines } of rows) {
    test(`${name} is read`, async () => {
      const read = await talking(inPieces(...pieces), async (talk) => {
        const read: string[] = [];
        while (read.length < lines.length) read.push(await talk.readLine());
        await assert.rejects(talk.readLine(), { code: "ECONNRESET" });
        return read;
      });
      assert.deepEqual(read, lines);
    });
  }
});

test("all that comes until the end is read at once, after a line or without one", async () => {
  const [line, rest] = await talking(inPieces("one\r\nt", "wo\r\nthr", "ee"), async (talk) => [
    await talk.readLine(),
    await talk.readToEnd(),
  ]);
  assert.deepEqual([line, rest], ["one", "two\r\nthree"]);
});

const LONG_LINE = "a line of more than 16384 bytes";
const excesses = [
  {
    name: "a line without an end",
    manner: flooding("x".repeat(999)),
    read: "readLine",
    message: LONG_LINE,
  },
  {
    name: "a line that is too long",
    manner: inPieces(`${"x".repeat(16_385)}\n`),
    read: "readLine",
    message: LONG_LINE,
  },
  {
    name: "text that is too long",
    manner: inPieces("more\r\n".repeat(2 ** 18)),
    read: "readToEnd",
    message: "more than 1048576 bytes",
  },
] as const;

for (const { name, manner, read, message } of excesses) {
  // guard: length of lines
  // guard: length of conversations
  test(`${name} is not read further than it may be`, async () => {
    await talking(manner, async (talk) => {
      await assert.rejects(talk[read](), { code: "protocol_error", message });
    });
  });
}

for (const { line, message } of [
  { line: "more\r\n", message: "more than 10000 lines" },
  { line: `${"more".repeat(99)}\r\n`, message: "more than 1048576 bytes" },
]) {
  // guard: lines of a conversation
  test(`lines without an end are not read for ever: ${message}`, async () => {
    await talking(flooding(line.repeat(99)), async (talk) => {
      const readAll = async (): Promise<void> => {
        for (;;) await talk.readLine();
      };
      await assert.rejects(readAll(), { code: "protocol_error", message });
    });
  });
}

const silences: readonly { name: string; manner: SocketHandler; read: "readLine" | "readToEnd" }[] =
  [
    { name: "silence", manner: silent, read: "readLine" },
    { name: "a drip", manner: dripping("220 "), read: "readLine" },
    {
      name: "a drip that is read to its end",
      manner: dripping("220 ready\r\n"),
      read: "readToEnd",
    },
  ];

for (const { name, manner, read } of silences) {
  test(`${name} is ended by the signal`, async () => {
    const controller = new AbortController();
    await talking(
      manner,
      async (talk) => {
        const reading = talk[read]();
        await drainEventLoop();
        controller.abort("over");
        const end = { code: "interrupted", phase: "answer", address: "127.0.0.1" };
        await assert.rejects(reading, end);
        await assert.rejects(talk[read](), end);
        talk.writeLine("nobody reads this");
      },
      { signal: controller.signal },
    );
  });
}

for (const line of ["QUIT\r\nDELE 1", "QUIT\n", "QUIT\r", "QU\0IT"]) {
  // guard: one command in a line
  test(`${JSON.stringify(line)} is never sent`, async () => {
    const received: string[] = [];
    const manner = (socket: Socket): void => {
      socket.on("data", (chunk) => received.push(chunk.toString()));
      socket.write("220 ready\r\n");
    };
    await talking(manner, async (talk) => {
      await talk.readLine();
      assert.throws(() => talk.writeLine(line), { code: "invalid_input" });
    });
    assert.deepEqual(received, []);
  });
}

suite("STARTTLS", () => {
  const greeting = "220 ready\r\n";
  const upgrade = async (talk: LineConnection): Promise<readonly unknown[]> => {
    await readReply(talk);
    talk.writeLine("STARTTLS");
    await readReply(talk);
    const { matchesHost, trustError } = await talk.startTls();
    talk.writeLine("EHLO x");
    const { lines } = await readReply(talk);
    const { certificate, evidence } = talk.peerDetails();
    return [matchesHost, trustError, lines, certificate?.subject, evidence];
  };

  test("the talk goes on in TLS", async () => {
    const answers = { STARTTLS: "220 go\r\n", "EHLO x": "250 secret\r\n" };
    const spoken = await talking(lineServer({ greeting, answers, certificate }), upgrade);
    const received = "220 ready\r\n220 go\r\n250 secret\r\n";
    assert.deepEqual(spoken, [
      true,
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      ["secret"],
      "localhost",
      received,
    ]);
  });

  test("what was slipped in before the handshake is refused", async () => {
    const answers = { STARTTLS: "220 go\r\n250 injected\r\n", "EHLO x": "250 secret\r\n" };
    await assert.rejects(talking(lineServer({ greeting, answers, certificate }), upgrade), {
      code: "protocol_error",
      message: "more than its agreement before the TLS handshake",
    });
  });

  test("what is slipped in during the handshake is refused", async () => {
    const manner: SocketHandler = (socket) => {
      socket.write(greeting);
      socket.once("data", () => {
        socket.write("220 go\r\n");
        socket.once("data", () => socket.write("250 injected\r\n"));
      });
    };
    await assert.rejects(talking(manner, upgrade), { code: "ERR_SSL_WRONG_VERSION_NUMBER" });
  });

  test("a close instead of the handshake is a closed connection", async () => {
    const manner: SocketHandler = (socket) => {
      socket.write(greeting);
      socket.once("data", () => socket.end("220 go\r\n"));
    };
    await assert.rejects(talking(manner, upgrade), { code: "ECONNRESET" });
  });

  test("a stall in the handshake is ended by the signal", async () => {
    const controller = new AbortController();
    let hello = false;
    const manner: SocketHandler = (socket) => {
      socket.write(greeting);
      socket.once("data", () => {
        socket.write("220 go\r\n");
        socket.once("data", () => {
          hello = true;
        });
      });
    };
    const upgrading = talking(manner, upgrade, { signal: controller.signal });
    await waitFor("a handshake", () => hello);
    controller.abort("over");
    await assert.rejects(upgrading, { code: "interrupted", phase: "tls" });
  });
});

test("the first that was received is kept, and no more", async () => {
  const received = await talking(inPieces("220-x\r\n", "y".repeat(9000)), async (talk) => {
    assert.deepEqual(talk.peerDetails(), {});
    await talk.readToEnd();
    return talk.peerDetails();
  });
  assert.deepEqual(received, { evidence: `220-x\r\n${"y".repeat(4089)}` });
});

suite("an outcome", () => {
  const keysOf = ({ timings = { total: 0 } }: Outcome): readonly string[] => Object.keys(timings);

  test("has the address and the time of each phase", async () => {
    await using peer = await tlsPeer(certificate, healthy);
    const outcome = await secretGreetingCheck.prepare(parameters(peer)).run(contextOf());
    assert.equal(outcome.address, "127.0.0.1");
    assert.deepEqual(keysOf(outcome), ["dns", "connect", "tls", "firstByte", "total"]);
    const { dns = 0, connect = 0, tls = 0, firstByte = 0, total = 0 } = outcome.timings ?? {};
    const stamps = [dns, connect, tls, firstByte, total];
    assert.deepEqual(
      stamps,
      stamps.toSorted((one, other) => one - other),
    );
  });

  const failures = [
    { name: "after the connection", manner: closing, keys: ["dns", "connect", "total"] },
    {
      name: "after the first byte",
      manner: inPieces("no reply\r\n"),
      keys: ["dns", "connect", "firstByte", "total"],
      evidence: "no reply\r\n",
    },
    {
      name: "after bytes that are no text",
      manner: inPieces(Buffer.from([0, 1, 2])),
      keys: ["dns", "connect", "firstByte", "total"],
      evidence: "(3 bytes that are no text)",
    },
  ];
  for (const { name, manner, keys, evidence } of failures) {
    test(`has them and what was received where it fails ${name}`, async () => {
      await using peer = await tcpPeer(manner);
      const outcome = await greetingCheck.prepare(parameters(peer)).run(contextOf());
      assert.deepEqual([outcome.passed, outcome.address], [false, "127.0.0.1"]);
      assert.deepEqual([keysOf(outcome), outcome.evidence], [keys, evidence]);
    });
  }

  test("has the certificate where it fails in TLS", async () => {
    await using peer = await tlsPeer(certificate, inPieces("no reply\r\n"));
    const outcome = await secretGreetingCheck.prepare(parameters(peer)).run(contextOf());
    assert.deepEqual([outcome.passed, outcome.evidence], [false, "no reply\r\n"]);
    assert.deepEqual(outcome.certificate, certificateFacts(certificate));
  });

  test("has the address and how far it came where nobody listens", async () => {
    const port = await closedPort();
    const outcome = await greetingCheck.prepare({ target: "localhost", port }).run(contextOf());
    assert.deepEqual([outcome.reason, outcome.address], ["refused", "127.0.0.1"]);
    assert.deepEqual(keysOf(outcome), ["dns", "total"]);
  });

  test("says how long it took where there was no connection", async () => {
    const outcome = await greetingCheck.prepare({ target: "x.invalid", port: 1 }).run(contextOf());
    assert.deepEqual([outcome.reason, keysOf(outcome)], ["dns", ["total"]]);
  });

  test("is none where the trouble is our own", async () => {
    await using peer = await tcpPeer(healthy);
    const trouble = new TypeError("a mistake of ours");
    const call = { host: peer.host, port: peer.port };
    await assert.rejects(
      withLineConnection(call, contextOf(), () => Promise.reject(trouble)),
      trouble,
    );
    await waitFor("the connection closed", () => peer.accepted() === 1 && peer.open() === 0);
  });
});
