import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { checkParametersContract } from "../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../test/contracts/check-type.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import { selfSigned } from "../../test/peers/certificates.ts";
import { tcpPeer, type SocketHandler, type Peer } from "../../test/peers/tcp.ts";
import { tlsPeer } from "../../test/peers/tls.ts";
import { xrdp } from "../../test/servers/xrdp.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import { rdpCheck } from "./rdp.ts";

checkParametersContract(rdpCheck, {
  least: { target: "desk.example.com" },
  leastReads: { target: "desk.example.com", port: 3389, ipv6: false },
  full: { target: "desk.example.com", port: 3390, ipv6: true },
  fullReads: { target: "desk.example.com", port: 3390, ipv6: true },
});

const CONFIRM = "030000130ed000001234000201080001000000";

/** Answers the first that comes with the bytes of a text in hexadecimal. */
const answering =
  (hex: string): SocketHandler =>
  (socket) =>
    socket.once("data", () => socket.write(hex, "hex"));

const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(rdpCheck, {
  healthy: () => tcpPeer(answering(CONFIRM)),
  parameters: target,
  endings: {
    silence: "timeout",
    drip: "protocol",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

function run(
  peer: Pick<Peer, "host" | "port">,
  context: Parameters<typeof contextOf>[0] = {},
): Promise<Outcome> {
  return rdpCheck.prepare(target(peer)).run(contextOf(context));
}

const hexOf = (text: string): string => Buffer.from(text).toString("hex");

const NOT_RDP = "Protocol error: not a connection confirm";

const rows: readonly {
  readonly name: string;
  readonly manner: SocketHandler;
  readonly says: string;
}[] = [
  { name: "an agreement on TLS", manner: answering(CONFIRM), says: "Connected" },
  {
    name: "an agreement on network level authentication",
    manner: answering("030000130ed00000123400021f080002000000"),
    says: "Connected",
  },
  {
    name: "an agreement on no security at all",
    manner: answering("030000130ed000001234000200080000000000"),
    says: "Connected",
  },
  {
    name: "a demand for network level authentication",
    manner: answering("030000130ed000001234000300080005000000"),
    says: "Connected",
  },
  {
    name: "a server that knows of no negotiation",
    manner: answering("0300000b06d00000123400"),
    says: "Connected",
  },
  {
    name: "a confirm with a credit",
    manner: answering("0300000b06d50000123400"),
    says: "Connected",
  },
  {
    name: "a confirm in pieces",
    manner: (socket) => {
      socket.setNoDelay();
      for (const byte of Buffer.from(CONFIRM, "hex")) socket.write(Buffer.of(byte));
    },
    says: "Connected",
  },
  {
    name: "a confirm with more behind it",
    manner: answering(`${CONFIRM}${CONFIRM}`),
    says: "Connected",
  },
  {
    name: "a web server",
    manner: answering(hexOf("HTTP/1.1 400 Bad Request\r\n\r\n")),
    says: NOT_RDP,
  },
  { name: "an SSH server", manner: answering(hexOf("SSH-2.0-x\r\n")), says: NOT_RDP },
  { name: "an alert of TLS", manner: answering("15030300020246"), says: NOT_RDP },
  { name: "an echo", manner: (socket) => socket.pipe(socket), says: NOT_RDP },
  { name: "a disconnect", manner: answering("0300000b0680000012340000"), says: NOT_RDP },
  { name: "another version", manner: answering("0200000b06d00000123400"), says: NOT_RDP },
  {
    name: "a header that is too short",
    manner: answering("0300000b05d00000123400"),
    says: NOT_RDP,
  },
  {
    name: "a packet shorter than its header",
    manner: answering("0300000b07d00000123400"),
    says: NOT_RDP,
  },
  {
    name: "a confirm that is cut off",
    manner: (socket) => socket.end("030000130ed00000123400", "hex"),
    says: "Connection closed while waiting for the answer",
  },
];

for (const { name, manner, says } of rows) {
  test(`${name} ends as ${says}`, async () => {
    await using peer = await tcpPeer(manner);
    const { passed, reason, message } = await run(peer);
    const wanted = says === "Connected" ? "ok" : "protocol";
    assert.deepEqual([passed, reason, message], [wanted === "ok", wanted, says]);
    await waitFor("the connection closed", () => peer.open() === 0);
  });
}

test("what is sent is the request of a client that can do TLS and network level authentication", async () => {
  let received = "";
  await using peer = await tcpPeer((socket) => {
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("hex")));
    answering(CONFIRM)(socket);
  });
  await run(peer);
  const cookie = hexOf("Cookie: mstshash=watchpost\r\n");
  assert.equal(received, `0300002f2ae00000000000${cookie}0100080003000000`);
});

test("a confirm that does not come whole is left when the time is over", async () => {
  const controller = new AbortController();
  await using peer = await tcpPeer(answering("0300fffff0d0"));
  const running = run(peer, { signal: controller.signal });
  await waitFor("a connection", () => peer.accepted() === 1);
  await drainEventLoop();
  controller.abort("over");
  assert.equal((await running).message, "Timeout waiting for the answer");
});

test("the evidence of a failure is what was answered", async () => {
  await using peer = await tcpPeer(answering(hexOf("HTTP/1.1 400 Bad Request\r\n")));
  assert.equal((await run(peer)).evidence, "HTTP/1.1 400 Bad Request\r\n");
});

test("a server that speaks TLS from the first byte is no remote desktop", async () => {
  await using peer = await tlsPeer(selfSigned());
  assert.equal((await run(peer)).reason, "protocol");
});

test("only an IPv6 address will do where that is wanted", async () => {
  const outcome = await rdpCheck.prepare({ target: "127.0.0.1", ipv6: true }).run(contextOf());
  assert.equal(outcome.reason, "dns");
});

test("whatever bytes come, they are the server's fault", async () => {
  let answer = "";
  await using peer = await tcpPeer((socket) => socket.end(answer, "hex"));
  const begin = fc.constantFrom("", "03", "0300000b", "030000130ed0");
  await fc.assert(
    fc.asyncProperty(begin, fc.uint8Array(), async (start, rest) => {
      answer = `${start}${Buffer.from(rest).toString("hex")}`;
      const { reason } = await run(peer);
      assert.ok(["ok", "protocol"].includes(reason), reason);
    }),
  );
});

for (const layer of ["negotiate", "tls", "rdp"] as const) {
  test(`xrdp with the layer ${layer} confirms`, async () => {
    await using server = await xrdp({ layer, certificate: selfSigned() });
    const { passed, text, timings } = await run(server);
    assert.deepEqual([passed, text], [true, "Connected"]);
    assert.ok(timings?.firstByte !== undefined);
  });
}
