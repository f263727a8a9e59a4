import assert from "node:assert/strict";
import test, { after } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { issuer, trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { certificateFacts, type Certificate } from "../../../test/peers/certificates.ts";
import { closedPort, tcpPeer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import { sslCheck } from "./ssl.ts";

checkParametersContract(sslCheck, {
  least: { target: "example.com" },
  leastReads: { target: { host: "example.com" }, ipv6: false },
  full: {
    target: "https://[2001:db8::1]:8443/",
    port: 8444,
    servername: "Www.example.com",
    warningdays: 14,
    ipv6: true,
  },
  fullReads: {
    target: { host: "2001:db8::1", port: 8443 },
    port: 8444,
    servername: "www.example.com",
    warningdays: 14,
    ipv6: true,
  },
});

const good = trustedCertificate(60);
const names = "DNS:localhost,IP:127.0.0.1";
const other = issue({ subject: "other", names: "DNS:other.example", issuer });
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
  readonly certificate: Certificate;
  readonly protocol?: "TLSv1.1";
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly text: string | RegExp;
  readonly message: string | RegExp;
}

const rows: readonly Row[] = [
  {
    name: "a trusted certificate",
    certificate: good,
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "an expired certificate",
    certificate: issue({ subject: "localhost", names, issuer, fromDay: -9, toDay: -2 }),
    reason: "certificate",
    text: "invalid",
    message: /^Invalid cert: expired on \d{4}-\d\d-\d\d$/,
  },
  {
    name: "a certificate that is not yet valid",
    certificate: issue({ subject: "localhost", names, issuer, fromDay: 2 }),
    reason: "certificate",
    text: "invalid",
    message: /^Invalid cert: not valid before/,
  },
  {
    name: "a self-signed certificate",
    certificate: issue({ subject: "localhost", names }),
    reason: "certificate",
    text: "invalid",
    message: "Invalid cert: self-signed",
  },
  {
    name: "a certificate of another host",
    certificate: other,
    reason: "certificate",
    text: "invalid",
    message: "Domain mismatch: other.example",
  },
  {
    name: "a certificate of the name that is asked for",
    certificate: other,
    parameters: { servername: "other.example" },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "a chain that is whole",
    certificate: { ...ofMiddle, cert: `${ofMiddle.cert}${middle.cert}` },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "a chain that lacks a link",
    certificate: ofMiddle,
    reason: "certificate",
    text: "invalid",
    message: "Invalid cert: incomplete chain",
  },
  {
    name: "an old protocol",
    certificate: good,
    protocol: "TLSv1.1",
    reason: "tls",
    text: "TLS error",
    message: "TLS error: TLSv1.1 is too old",
  },
  {
    name: "sixty days left, warned at fifty-nine",
    certificate: good,
    parameters: { warningdays: 59 },
    reason: "ok",
    text: "valid",
    message: "Valid cert",
  },
  {
    name: "sixty days left, warned at sixty-one",
    certificate: good,
    parameters: { warningdays: "61" },
    reason: "certificate",
    text: /^expires \d{4}-\d\d-\d\d$/,
    message: /^Will expire \d{4}-\d\d-\d\d$/,
  },
];

const onPorts = await Promise.all(rows.map(async (row) => ({ ...row, port: await closedPort() })));
const chosen = await closedPort();
const web = await nginx({
  secureServers: [
    ...onPorts.map(({ port, certificate, protocol }) => ({
      port,
      certificate,
      ...(protocol !== undefined && {
        rules: `ssl_protocols ${protocol}; ssl_ciphers DEFAULT@SECLEVEL=0;`,
      }),
    })),
    { port: chosen, certificate: good },
    { port: chosen, certificate: other, name: "other.example" },
  ],
});
after(() => web[Symbol.asyncDispose]());

async function judges(row: Row, port: number): Promise<void> {
  const { certificate, parameters, reason, text, message } = row;
  const check = sslCheck.prepare({ target: "localhost", port, ...parameters });
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
  assert.deepEqual(outcome.certificate, certificateFacts(certificate));
  assert.ok(outcome.timings?.tls !== undefined);
}

for (const row of onPorts) {
  const { name, certificate, protocol, message, port } = row;
  test(`SSL says of ${name}: ${String(message)}`, async () => {
    const versions =
      protocol === undefined ? {} : ({ minVersion: "TLSv1", maxVersion: protocol } as const);
    await using peer = await tlsPeer({ ...certificate, ...versions });
    await judges(row, peer.port);
  });

  test(`SSL says of ${name}, as nginx shows it: ${String(message)}`, () => judges(row, port));
}

test("the name that is asked for chooses among the servers of nginx", async () => {
  const run = (servername: string) =>
    sslCheck.prepare({ target: "localhost", port: chosen, servername }).run(contextOf());
  assert.equal((await run("other.example")).certificate?.subject, "other");
  assert.equal((await run("other.example")).message, "Valid cert");
  assert.equal((await run("")).message, "Valid cert");
  assert.equal((await run("third.example")).message, "Domain mismatch: localhost, 127.0.0.1");
});

test("nginx asked for TLS where it speaks none fails as such", async () => {
  const outcome = await sslCheck.prepare({ target: "localhost", port: web.port }).run(contextOf());
  assert.deepEqual([outcome.reason, outcome.message], ["tls", "TLS error: wrong version number"]);
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
