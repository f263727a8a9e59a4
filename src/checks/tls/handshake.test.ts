import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test, { suite } from "node:test";
import { createSecureContext, setDefaultCACertificates, type TlsOptions } from "node:tls";

import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import type { Certificate } from "../../../test/peers/certificates.ts";
import {
  closing,
  dripping,
  flooding,
  garbage,
  silent,
  tcpPeer,
  type Peer,
} from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { daysLeft } from "../../domain/run/outcome.ts";
import { systemClock } from "../../kit/clock.ts";
import { judgeCertificate, mailMessages, sslMessages } from "./certificate-rules.ts";
import { failureOf } from "../outcome/failure.ts";
import type { TlsConnection, TlsFacts } from "./handshake.ts";

const names = "DNS:localhost,DNS:*.wild.test,IP:127.0.0.1,IP:::1";
const issuer = issue({ subject: "our root", authority: true, toDay: 3650 });
const stranger = issue({ subject: "their root", authority: true, toDay: 3650 });
const middle = issue({ subject: "middle", issuer, authority: true, toDay: 60 });
const good = issue({ subject: "localhost", names, issuer });
const viaMiddle = issue({ subject: "localhost", names, issuer: middle });

setDefaultCACertificates([issuer.cert]);
/** Only now: what is trusted by default is read when the module is loaded. */
const { handshake } = await import("./handshake.ts");

async function open(peer: Pick<Peer, "host" | "port">): Promise<Socket> {
  const socket = connect(peer.port, peer.host);
  await once(socket, "connect");
  return socket.on("error", () => {});
}

async function shakeHands(
  peer: Pick<Peer, "host" | "port">,
  host = "localhost",
  signal = new AbortController().signal,
): Promise<TlsConnection> {
  return handshake(await open(peer), { host, signal });
}

async function factsOf(options: TlsOptions, host?: string): Promise<TlsFacts> {
  await using peer = await tlsPeer(options);
  const { socket, facts } = await shakeHands(peer, host);
  socket.destroy();
  return facts;
}

function withIssuer(own: Certificate, ...issuers: readonly Certificate[]): Certificate {
  return { key: own.key, cert: [own, ...issuers].map(({ cert }) => cert).join("") };
}

test("what begins a handshake fits in one packet", async () => {
  const beginnings: number[] = [];
  await using peer = await tcpPeer((socket) =>
    socket.once("data", ({ length }) => {
      beginnings.push(length);
      socket.end();
    }),
  );
  await assert.rejects(shakeHands(peer));
  assert.ok(Number(beginnings[0]) < 1220, String(beginnings[0]));
});

interface Row {
  readonly name: string;
  readonly options: () => TlsOptions;
  readonly host?: string;
  /** Where it is trusted but for what the row is about: nothing. */
  readonly message?: string;
  readonly reason?: "certificate" | "tls";
}

const old: TlsOptions = { ...good, minVersion: "TLSv1" };
const rows: readonly Row[] = [
  { name: "a certificate of ours", options: () => good },
  { name: "a certificate for the address", options: () => good, host: "127.0.0.1" },
  { name: "a name under a wildcard", options: () => good, host: "a.wild.test" },
  { name: "a name with a dot at its end", options: () => good, host: "localhost." },
  { name: "a chain over a second authority", options: () => withIssuer(viaMiddle, middle) },
  { name: "a chain that holds the root", options: () => withIssuer(viaMiddle, middle, issuer) },
  {
    name: "a name two levels under a wildcard",
    options: () => good,
    host: "a.b.wild.test",
    message: "Domain mismatch: localhost, *.wild.test, 127.0.0.1",
  },
  {
    name: "another host's certificate",
    options: () => issue({ subject: "x", names: "DNS:other.example", issuer }),
    message: "Domain mismatch: other.example",
  },
  {
    name: "a certificate for another address",
    options: () => issue({ subject: "127.0.0.1", names: "IP:192.0.2.1", issuer }),
    host: "127.0.0.1",
    message: "Domain mismatch: 192.0.2.1",
  },
  {
    name: "an expired certificate",
    options: () => issue({ subject: "localhost", names, issuer, fromDay: -9, toDay: -2 }),
    message: "Invalid cert: expired on <day>",
  },
  {
    name: "an expired authority in the middle",
    options() {
      const late = issue({ subject: "late", issuer, authority: true, fromDay: -9, toDay: -2 });
      return withIssuer(issue({ subject: "localhost", names, issuer: late }), late);
    },
    message: "Invalid cert: expired on <day>: late",
  },
  {
    name: "a certificate of the future",
    options: () => issue({ subject: "localhost", names, issuer, fromDay: 2 }),
    message: "Invalid cert: not valid before <day>",
  },
  {
    name: "a certificate signed by itself",
    options: () => issue({ subject: "localhost", names }),
    message: "Invalid cert: self-signed",
  },
  {
    name: "a chain to a root that nobody trusts",
    options: () => withIssuer(issue({ subject: "localhost", names, issuer: stranger }), stranger),
    message: "Invalid cert: untrusted issuer",
  },
  {
    name: "a chain without its second authority",
    options: () => viaMiddle,
    message: "Invalid cert: incomplete chain",
  },
  {
    name: "a short key",
    options: () => issue({ subject: "localhost", names, issuer, rsaBits: 1024 }),
    message: "Invalid cert: a key of 1024 bits",
  },
  {
    name: "an outdated signature",
    options: () => issue({ subject: "localhost", names, issuer, digest: "sha1" }),
    message: "Invalid cert: signed by ecdsa-with-SHA1",
  },
  {
    name: "TLS 1.0",
    options: () => ({ ...old, maxVersion: "TLSv1" }),
    message: "TLS error: TLSv1 is too old",
    reason: "tls",
  },
  {
    name: "TLS 1.1",
    options: () => ({ ...old, maxVersion: "TLSv1.1" }),
    message: "TLS error: TLSv1.1 is too old",
    reason: "tls",
  },
  { name: "TLS 1.2", options: () => ({ ...old, maxVersion: "TLSv1.2" }) },
  { name: "TLS 1.3", options: () => ({ ...good, minVersion: "TLSv1.3" }) },
];

const DAY = /\d{4}-\d\d-\d\d/;
const rules = { warningDays: undefined, messages: sslMessages };

suite("what a server shows", () => {
  for (const { name, options, host, message, reason = "certificate" } of rows) {
    test(`${name} is ${message === undefined ? "right" : `wrong: ${message}`}`, async () => {
      const facts = await factsOf(options(), host);
      const now = systemClock.now();
      const outcome = judgeCertificate(facts, { ...rules, verify: true, now });
      assert.equal(outcome?.reason, message === undefined ? undefined : reason);
      assert.equal(outcome?.message.replace(DAY, "<day>"), message);
      assert.equal(judgeCertificate(facts, { ...rules, verify: false, now }), undefined);
    });
  }
});

/** Until the first of the chain ends. */
function daysLeftOf({ chain }: TlsFacts): number {
  return Math.min(...chain.map((certificate) => daysLeft(certificate, systemClock.now())));
}

test("the facts name the server, its issuers and the protocol", async () => {
  const facts = await factsOf(withIssuer(viaMiddle, middle, issuer));
  const { chain, ...rest } = facts;
  assert.deepEqual(rest, {
    protocol: "TLSv1.3",
    names: ["localhost", "*.wild.test", "127.0.0.1", "0:0:0:0:0:0:0:1"],
    matchesHost: true,
  });
  assert.deepEqual(
    chain.map(({ subject, issuer }) => `${subject} by ${issuer}`),
    ["localhost by middle", "middle by our root"],
  );
  assert.equal(daysLeftOf(facts), 59);
});

test("the end of an issuer counts as well as the end of the certificate itself", async () => {
  const facts = await factsOf(withIssuer(viaMiddle, middle));
  const now = systemClock.now();
  const messages = mailMessages;
  const judged = (warningDays: number): string | undefined =>
    judgeCertificate(facts, { verify: true, warningDays, messages, now })?.message.replace(
      DAY,
      "<day>",
    );
  assert.equal(judged(59), undefined);
  assert.equal(judged(60), "Certificate expires <day>: middle");
});

test("the end of an older signature for an authority that is trusted anyway does not count", async () => {
  const { key } = issuer;
  const crossed = issue({ subject: "our root", key, issuer: stranger, authority: true, toDay: 3 });
  const facts = await factsOf(withIssuer(good, crossed));
  assert.equal(facts.trustError, undefined);
  assert.equal(daysLeftOf(facts), 89);
});

test("an issuer that only bears the name of one that is trusted counts", async () => {
  const impostor = issue({ subject: "our root", issuer: stranger, authority: true, toDay: 5 });
  const own = issue({ subject: "localhost", names, issuer: impostor });
  const facts = await factsOf(withIssuer(own, impostor, stranger));
  assert.notEqual(facts.trustError, undefined);
  assert.deepEqual([facts.chain.length, daysLeftOf(facts)], [3, 4]);
});

const asked = [
  { host: "localhost", name: "localhost" },
  { host: "localhost.", name: "localhost" },
  { host: "a.wild.test", name: "a.wild.test" },
  { host: "127.0.0.1", name: undefined },
  { host: "::1", name: undefined },
];

for (const { host, name } of asked) {
  test(`the handshake with ${host} asks for ${name ?? "no name"}`, async () => {
    let received: string | undefined;
    const SNICallback: TlsOptions["SNICallback"] = (asked, give) => {
      received = asked;
      give(null, createSecureContext(good));
    };
    const facts = await factsOf({ ...good, SNICallback }, host);
    assert.deepEqual([received, facts.matchesHost], [name, true]);
  });
}

/** RFC 8446, 6: a fatal alert. */
const alert = (number: number) => (socket: Socket) =>
  socket.write(Buffer.from([21, 3, 3, 0, 2, 2, number]));

const refusals = [
  { name: "garbage", manner: garbage, message: "TLS error: wrong version number" },
  {
    name: "a greeting in plain text",
    manner: (socket: Socket) => socket.write("220 mail.test ready\r\n"),
    message: "TLS error: wrong version number",
  },
  { name: "a flood", manner: flooding("220 more\r\n"), message: "TLS error: wrong version number" },
  {
    name: "a refusal of the protocol",
    manner: alert(70),
    message: "TLS error: tlsv1 alert protocol version",
  },
  {
    name: "a refusal of the handshake",
    manner: alert(40),
    message: "TLS error: ssl/tls alert handshake failure",
  },
  {
    name: "a refusal of the name",
    manner: alert(112),
    message: "TLS error: tlsv1 unrecognized name",
  },
  { name: "a close", manner: closing, message: "Connection closed in the TLS handshake" },
  {
    name: "a reset",
    manner: (socket: Socket) => socket.once("data", () => socket.resetAndDestroy()),
    message: "Connection reset in the TLS handshake",
  },
];

for (const { name, manner, message } of refusals) {
  test(`${name} instead of a handshake fails as ${message}`, async () => {
    await using peer = await tcpPeer(manner);
    const error = await shakeHands(peer).then(() => undefined, failureOf);
    assert.equal(error?.message, message);
    await waitFor("the connection closed", () => peer.open() === 0);
  });
}

/** RFC 5246, 7.4: a ServerHello, and a Certificate that holds these bytes. */
function handshakeWith(certificate: Buffer): Buffer {
  const sized = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, bytes.length >> 8, bytes.length & 255]), bytes]);
  const random = Buffer.alloc(32, 7);
  const hello = Buffer.concat([Buffer.from([3, 3]), random, Buffer.from([0, 0xc0, 0x2f, 0])]);
  const messages = Buffer.concat([
    Buffer.from([2]),
    sized(hello),
    Buffer.from([11]),
    sized(sized(sized(certificate))),
  ]);
  return Buffer.concat([Buffer.from([22, 3, 3]), sized(messages).subarray(1), messages]);
}

test("a certificate that is none fails as a TLS error", async () => {
  const bodies = ["", "55".repeat(100), "3003010101", "3082ffff01", "30820000"];
  for (const body of bodies) {
    await using peer = await tcpPeer((socket) =>
      socket.once("data", () => socket.write(handshakeWith(Buffer.from(body, "hex")))),
    );
    const outcome = await shakeHands(peer).then(() => undefined, failureOf);
    assert.equal(outcome?.reason, "tls", body);
  }
});

const stalls = [
  { name: "silence", manner: silent },
  {
    name: "a drip within a record",
    manner: dripping("\u0016\u0003\u0003\u0040\u0000\u0002\u0000\u003f\u0000"),
  },
];

for (const { name, manner } of stalls) {
  test(`${name} in the handshake is ended by the signal`, async () => {
    await using peer = await tcpPeer(manner);
    const controller = new AbortController();
    const shaking = shakeHands(peer, "localhost", controller.signal);
    await waitFor("a connection", () => peer.accepted() === 1);
    await drainEventLoop();
    controller.abort("over");
    await assert.rejects(shaking, { code: "interrupted", phase: "tls", address: "127.0.0.1" });
    await waitFor("the connection closed", () => peer.open() === 0);
  });
}

test("nothing is said where the signal has already aborted", async () => {
  await using peer = await tlsPeer(good);
  await assert.rejects(shakeHands(peer, "localhost", AbortSignal.abort("over")), {
    code: "interrupted",
  });
  await waitFor("the connection closed", () => peer.open() === 0);
});
