import assert from "node:assert/strict";
import { test } from "node:test";
import type { TlsOptions } from "node:tls";

import { issuer, trusted } from "../../test/peers/trusted.ts";
import { issue } from "../../test/peers/authority.ts";
import { checkTypeContract, contextOf } from "../../test/contracts/check-type.ts";
import { tcpPeer } from "../../test/peers/tcp.ts";
import { tlsPeer } from "../../test/peers/tls.ts";
import { sslCheck } from "./ssl.ts";

const good = trusted(60);
const names = "DNS:localhost,IP:127.0.0.1";
const middle = issue({ subject: "middle", issuer, authority: true });
const ofMiddle = issue({ subject: "localhost", names, issuer: middle });

checkTypeContract(sslCheck, {
  healthy: () => tlsPeer(good),
  parameters: ({ port }) => ({ target: "localhost", port }),
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

interface Row {
  readonly name: string;
  readonly server: TlsOptions;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly text: string | RegExp;
  readonly message: string | RegExp;
}

const rows: readonly Row[] = [
  {
    name: "a trusted certificate",
    server: good,
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "an expired certificate",
    server: issue({ subject: "localhost", names, issuer, fromDay: -9, toDay: -2 }),
    reason: "certificate",
    text: "invalid",
    message: /^Invalid cert: expired on \d{4}-\d\d-\d\d$/,
  },
  {
    name: "a certificate that is not yet valid",
    server: issue({ subject: "localhost", names, issuer, fromDay: 2 }),
    reason: "certificate",
    text: "invalid",
    message: /^Invalid cert: not valid before/,
  },
  {
    name: "a self-signed certificate",
    server: issue({ subject: "localhost", names }),
    reason: "certificate",
    text: "invalid",
    message: "Invalid cert: self-signed",
  },
  {
    name: "a certificate of another host",
    server: issue({ subject: "other", names: "DNS:other.example", issuer }),
    reason: "certificate",
    text: "invalid",
    message: "Domain mismatch: other.example",
  },
  {
    name: "a certificate of the name that is asked for",
    server: issue({ subject: "other", names: "DNS:other.example", issuer }),
    parameters: { servername: "other.example" },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "a chain that is whole",
    server: { ...ofMiddle, cert: `${ofMiddle.cert}${middle.cert}` },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "a chain that lacks a link",
    server: ofMiddle,
    reason: "certificate",
    text: "invalid",
    message: "Invalid cert: incomplete chain",
  },
  {
    name: "an old protocol",
    server: { ...good, minVersion: "TLSv1", maxVersion: "TLSv1.1" },
    reason: "tls",
    text: "TLS error",
    message: "TLS error: TLSv1.1 is too old",
  },
  {
    name: "sixty days left, warned at fifty-nine",
    server: good,
    parameters: { warningdays: 59 },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "sixty days left, warned at sixty-one",
    server: good,
    parameters: { warningdays: "61" },
    reason: "certificate",
    text: /^expires \d{4}-\d\d-\d\d$/,
    message: /^Will expire \d{4}-\d\d-\d\d$/,
  },
];

for (const { name, server, parameters, reason, text, message } of rows) {
  test(`SSL says of ${name}: ${String(message)}`, async () => {
    await using peer = await tlsPeer(server);
    const check = sslCheck.prepare({ target: "localhost", port: peer.port, ...parameters });
    const outcome = await check.run(contextOf());
    assert.deepEqual([outcome.reason, outcome.passed], [reason, reason === "ok"], outcome.message);
    for (const [said, wanted] of [
      [outcome.text, text],
      [outcome.message, message],
    ] as const) {
      if (typeof wanted === "string") assert.equal(said, wanted);
      else assert.match(said, wanted);
    }
    assert.equal(outcome.address, "127.0.0.1");
    assert.ok(outcome.timings?.tls !== undefined);
  });
}

test("the name that is asked for chooses the certificate", async () => {
  const { createSecureContext } = await import("node:tls");
  const other = createSecureContext(
    issue({ subject: "other", names: "DNS:other.example", issuer }),
  );
  await using peer = await tlsPeer({
    ...good,
    SNICallback: (name, done) => done(null, name === "other.example" ? other : undefined),
  });
  const run = (servername: string) =>
    sslCheck.prepare({ target: "localhost", port: peer.port, servername }).run(contextOf());
  assert.equal((await run("other.example")).passed, true);
  assert.equal((await run("")).passed, true);
  assert.equal((await run("third.example")).message, "Domain mismatch: localhost, 127.0.0.1");
});

test("a web address as the target gives host and port, and its port wins", async () => {
  await using peer = await tlsPeer(good);
  const target = `https://localhost:${peer.port}/path`;
  const outcome = await sslCheck.prepare({ target, port: 1 }).run(contextOf());
  assert.equal(outcome.message, "Valid cert");
});

test("a server that speaks no TLS fails as one", async () => {
  await using peer = await tcpPeer((socket) => socket.end("220 ready\r\n"));
  const check = sslCheck.prepare({ target: "localhost", port: peer.port });
  assert.equal((await check.run(contextOf())).reason, "tls");
});
