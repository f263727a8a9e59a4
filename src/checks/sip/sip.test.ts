import assert from "node:assert/strict";
import { connect } from "node:net";
import test, { after, before, suite } from "node:test";

import {
  checkTypeContract,
  contextOf,
  udpCheckTypeContract,
} from "../../../test/contracts/check-type.ts";
import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../../test/time/fake-clock.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { sipAnswer } from "../../../test/peers/sip.ts";
import { tcpPeer, type SocketHandler, type Peer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { udpPeer, type PacketHandler } from "../../../test/peers/udp.ts";
import { kamailio, type Kamailio } from "../../../test/servers/kamailio.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { sipCheck } from "./sip.ts";

checkParametersContract(sipCheck, {
  least: { target: "sip.example.com" },
  leastReads: { target: "sip.example.com", transport: "udp", ipv6: false },
  full: { target: "sip.example.com", port: 5061, transport: "tls", ipv6: false },
  fullReads: { target: "sip.example.com", port: 5061, transport: "tls", ipv6: false },
});

type Answers = (request: string) => readonly string[];

const overUdp =
  (answers: Answers): PacketHandler =>
  (request, reply) => {
    for (const answer of answers(request.toString())) reply(answer);
  };

/** Answers once the empty line has come, in one piece. */
const overStream =
  (answers: Answers): SocketHandler =>
  (socket) => {
    let request = "";
    socket.on("data", (chunk: Buffer) => {
      request += chunk.toString();
      if (request.endsWith("\r\n\r\n")) socket.write(answers(request).join(""));
    });
  };

const healthy: Answers = (request) => [sipAnswer(request, "200 OK")];
const certificate = selfSigned();

udpCheckTypeContract(sipCheck, {
  name: "SIP over UDP",
  healthy: () => udpPeer(overUdp(healthy)),
  parameters: ({ host, port }) => ({ target: host, port }),
  endings: { silence: "timeout", garbage: "timeout", flood: "timeout" },
});

checkTypeContract(sipCheck, {
  name: "SIP over TCP",
  healthy: () => tcpPeer(overStream(healthy)),
  parameters: ({ host, port }) => ({ target: host, port, transport: "tcp" }),
  endings: {
    silence: "timeout",
    drip: "protocol",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

checkTypeContract(sipCheck, {
  name: "SIP over TLS",
  healthy: () => tlsPeer(certificate, overStream(healthy)),
  parameters: ({ host, port }) => ({ target: host, port, transport: "tls" }),
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

function run(
  { port }: { readonly port: number },
  parameters: Readonly<Record<string, unknown>> = {},
  context: Partial<RunContext> = {},
): Promise<Outcome> {
  return sipCheck.prepare({ target: "127.0.0.1", port, ...parameters }).run(contextOf(context));
}

const up = (status: string) => ["ok", status, "Success"];
const down = (status: string) => ["status", status, `SIP status returned: ${status}`];
const another = "Call-ID: another";
const question = ["OPTIONS sip:you@127.0.0.1 SIP/2.0", another, "Content-Length: 0", "", ""];
const rows: readonly { name: string; answers: Answers; says: readonly string[] }[] = [
  ...["200", "302", "401", "404", "407", "486", "499"].map((status) => ({
    name: `status ${status}`,
    answers: (request: string) => [sipAnswer(request, `${status} So it is`)],
    says: up(status),
  })),
  ...["500", "503", "603"].map((status) => ({
    name: `status ${status}`,
    answers: (request: string) => [sipAnswer(request, `${status} So it is`)],
    says: down(status),
  })),
  {
    name: "that it takes a while, with a body, before it says that it is busy",
    answers: (request) => [
      sipAnswer(request, "100 Trying"),
      sipAnswer(request, "183 Session Progress", { body: "v=0\r\ns=Grüße\r\n" }),
      sipAnswer(request, "486 Busy Here"),
    ],
    says: up("486"),
  },
  {
    name: "somebody else first",
    answers: (request) => [
      sipAnswer(request, "503 Service Unavailable", { headers: [another] }),
      sipAnswer(request, "200 OK"),
    ],
    says: up("200"),
  },
  {
    name: "with a question of its own first",
    answers: (request) => [question.join("\r\n"), sipAnswer(request, "200 OK")],
    says: up("200"),
  },
  {
    name: "in short names and folded lines",
    answers: (request) => [sipAnswer(request, "200 OK").replace("Call-ID: ", "i:\r\n  ")],
    says: up("200"),
  },
];

for (const { name, answers, says } of rows) {
  for (const transport of ["udp", "tcp"] as const) {
    test(`a server over ${transport} that answers ${name}: ${says.join(", ")}`, async () => {
      await using peer =
        transport === "udp"
          ? await udpPeer(overUdp(answers))
          : await tcpPeer(overStream((request) => ["\r\n\r\n", ...answers(request)]));
      const { reason, text, message, address, timings } = await run(peer, { transport });
      assert.deepEqual([reason, text, message, address], [...says, "127.0.0.1"]);
      const phases = ["dns", ...(transport === "udp" ? [] : ["connect"]), "firstByte", "total"];
      assert.deepEqual(Object.keys(timings ?? {}), phases);
    });
  }
}

test("a server that fails shows what it answered", async () => {
  await using peer = await udpPeer(
    overUdp((request) => [sipAnswer(request, "503 Overload", { headers: ["Retry-After: 9"] })]),
  );
  const { evidence } = await run(peer);
  assert.match(evidence ?? "", /^SIP\/2\.0 503 Overload\r\nRetry-After: 9\r\n/);
});

test("the answer is asked to come back to where the request came from", async () => {
  await using peer = await udpPeer(overUdp(healthy));
  await run(peer, { target: "a.localhost" });
  const request = peer.packets[0]?.toString() ?? "";
  const [, from] = /^Via: SIP\/2\.0\/UDP (\S+?);branch=z9hG4bK\S+;rport\r$/m.exec(request) ?? [];
  assert.deepEqual([...peer.senders], [from]);
  assert.ok(request.startsWith(`OPTIONS sip:a.localhost:${peer.port} SIP/2.0\r\n`));
  assert.ok(request.endsWith("\r\nContent-Length: 0\r\n\r\n"));
});

test("a request that is lost is sent again after 0.5, 1, 2, 4 and 4 seconds, and it is the same", async () => {
  const clock = fakeClock();
  await using peer = await udpPeer((request, reply) => {
    if (peer.packets.length > 5) reply(sipAnswer(request, "200 OK"));
    else if (peer.packets.length > 1) reply(sipAnswer(request, "100 Trying"));
  });
  const running = run(peer, {}, { setTimer: clock.setTimer });
  const count = (packets: number): Promise<unknown> =>
    waitFor(`${packets} packets`, () => peer.packets.length === packets);
  await count(1);
  for (const [sent, seconds] of [0.5, 1, 2, 4, 4].entries()) {
    await clock.advance(seconds * 1000 - 1);
    assert.equal(peer.packets.length, sent + 1);
    await clock.advance(1);
    await count(sent + 2);
  }
  assert.equal((await running).text, "200");
  assert.equal(new Set(peer.packets.map(String)).size, 1);
  assert.equal(clock.pending(), 0);
});

test("two runs ask with ids that differ", async () => {
  await using peer = await udpPeer(overUdp(healthy));
  await run(peer);
  await run(peer);
  const ids = peer.packets.map((packet) => /^Call-ID: (.+)\r$/m.exec(packet.toString())?.[1]);
  assert.notEqual(ids[0], ids[1]);
});

test("a server over TCP whose answer ends within its head has closed the connection", async () => {
  await using peer = await tcpPeer((socket) => socket.end("SIP/2.0 200 OK\r\nCall-ID: x\r\n"));
  assert.equal(
    (await run(peer, { transport: "tcp" })).message,
    "Connection closed while waiting for the answer",
  );
});

test("a body that is said to have no end is read no further than anybody's words", async () => {
  const headers = ["Content-Length: 99999999999999999999"];
  await using peer = await tcpPeer((socket) => {
    socket.write(sipAnswer("", "100 Trying", { headers }));
    const pour = (): void => {
      while (!socket.destroyed && socket.write(`${"x".repeat(998)}\r\n`));
    };
    socket.on("drain", pour);
    pour();
  });
  const { message } = await run(peer, { transport: "tcp" });
  assert.equal(message, "Protocol error: more than 1048576 bytes");
});

suite("Kamailio", () => {
  let server: Kamailio;
  let front: Peer;
  before(async () => {
    server = await kamailio();
    // It has no TLS of its own here, so somebody else speaks it for it.
    front = await tlsPeer(certificate, (secure) => {
      const plain = connect(server.port, "127.0.0.1");
      plain.on("error", () => secure.destroy());
      secure.pipe(plain).pipe(secure);
    });
  });
  after(async () => {
    await front[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const transport of ["udp", "tcp", "tls"] as const) {
    for (const [target, says] of [
      ["127.0.0.1", up("200")],
      ["auth.localhost", up("401")],
      ["busy.localhost", down("503")],
    ] as const) {
      test(`${target} over ${transport}: ${says.join(", ")}`, async () => {
        const peer = transport === "tls" ? front : server;
        const outcome = await run(peer, { target, transport });
        const { reason, text, message, certificate } = outcome;
        assert.deepEqual([reason, text, message], says);
        assert.equal(certificate?.subject, transport === "tls" ? "localhost" : undefined);
      });
    }
  }

  test("it answers over IPv6, where only that will do", async () => {
    const outcome = await run(server, { target: "a.localhost", ipv6: true });
    assert.deepEqual([outcome.text, outcome.address], ["200", "::1"]);
  });

  test("one that does not answer is waited for until the signal", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const running = run(server, { target: "mute.localhost" }, { signal });
    await drainEventLoop(20);
    controller.abort("over");
    const outcome = await running;
    assert.deepEqual(
      [outcome.reason, outcome.message, outcome.address],
      ["timeout", "Timeout waiting for the answer", "127.0.0.1"],
    );
  });
});
