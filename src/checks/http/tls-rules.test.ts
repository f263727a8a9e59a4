import assert from "node:assert/strict";
import type { Socket } from "node:net";
import test, { after } from "node:test";

import { issuer, trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { certificateFacts, type Certificate } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { closedPort, tcpPeer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import { httpCheck } from "./http.ts";
import { httpAdvCheck } from "./httpadv.ts";
import { httpContentCheck } from "./httpcontent.ts";
import { httpParseCheck } from "./httpparse.ts";

const good = trustedCertificate(60);
const names = "DNS:localhost,IP:127.0.0.1";
const selfSigned = issue({ subject: "localhost", names });
const verified = { verify: true };

interface Row {
  readonly name: string;
  readonly certificate: Certificate;
  readonly wishes: Readonly<Record<string, unknown>>;
  /** Failure message, or the text of a passing result. */
  readonly message: RegExp;
}

const rows: readonly Row[] = [
  { name: "a trusted certificate", certificate: good, wishes: verified, message: /^Success$/ },
  {
    name: "an expired certificate",
    certificate: issue({ subject: "localhost", names, issuer, fromDay: -9, toDay: -2 }),
    wishes: verified,
    message: /^Invalid cert: expired on \d{4}-\d\d-\d\d$/,
  },
  {
    name: "a self-signed certificate",
    certificate: selfSigned,
    wishes: verified,
    message: /^Invalid cert: self-signed$/,
  },
  {
    name: "a certificate of another host",
    certificate: issue({ subject: "other", names: "DNS:other.example", issuer }),
    wishes: verified,
    message: /^Domain mismatch: other\.example$/,
  },
  {
    name: "a self-signed certificate that nobody wants verified",
    certificate: selfSigned,
    wishes: {},
    message: /^Success$/,
  },
  {
    name: "sixty days left, warned at sixty-one and not verified",
    certificate: good,
    wishes: { warningdays: 61 },
    message: /^Will expire \d{4}-\d\d-\d\d$/,
  },
  {
    name: "sixty days left, warned at fifty-nine",
    certificate: good,
    wishes: { ...verified, warningdays: 59 },
    message: /^Success$/,
  },
];

const onPorts = await Promise.all(rows.map(async (row) => ({ ...row, port: await closedPort() })));
const web = await nginx({
  secureServers: onPorts.map(({ port, certificate }) => ({
    port,
    certificate,
    rules: "location / { return 200; }",
  })),
});
after(() => web[Symbol.asyncDispose]());

for (const { name, certificate, wishes, message, port } of onPorts) {
  for (const check of [httpCheck, httpContentCheck, httpParseCheck, httpAdvCheck]) {
    test(`${check.type} says of ${name}: ${message.source}`, async () => {
      const target = `https://localhost:${port}/`;
      const outcome = await check.prepare({ target, ...wishes }).run(contextOf());
      const passes = message.source === "^Success$";
      assert.match(outcome.message, message);
      assert.deepEqual([outcome.passed, outcome.reason], [passes, passes ? "ok" : "certificate"]);
      assert.deepEqual(outcome.certificate, certificateFacts(certificate));
    });
  }
}

for (const [wishes, message] of [
  [{}, "Success"],
  [{ warningdays: 1 }, "Success"],
  [verified, "TLS error: TLSv1.1 is too old"],
] as const) {
  test(`a server of an old protocol is up, and with ${JSON.stringify(wishes)} says ${message}`, async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1" } as const;
    await using peer = await tlsPeer({ ...good, ...old }, (socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    });
    const target = `https://localhost:${peer.port}/`;
    const outcome = await httpCheck.prepare({ target, ...wishes }).run(contextOf());
    assert.equal(outcome.message, message);
    assert.equal(peer.accepted(), 1);
  });
}

for (const [name, manner] of [
  ["without a word", (socket: Socket) => socket.end()],
  ["after the hello", (socket: Socket) => socket.once("data", () => socket.end())],
] as const) {
  test(`a server that closes ${name} is said to close in the TLS handshake, without a second attempt`, async () => {
    await using peer = await tcpPeer(manner);
    const target = `https://localhost:${peer.port}/`;
    const { text, message } = await httpCheck.prepare({ target, ...verified }).run(contextOf());
    assert.deepEqual(
      [text, message],
      ["Connection closed", "Connection closed in the TLS handshake"],
    );
    assert.equal(peer.accepted(), 1);
  });
}

test("nothing is asked of a server whose certificate is refused", async () => {
  let asked = 0;
  await using peer = await httpPeer((_, response) => {
    asked += 1;
    response.end();
  }, selfSigned);
  const target = `https://alice:secret@localhost:${peer.port}/`;
  const outcome = await httpCheck.prepare({ target, verify: true }).run(contextOf());
  assert.deepEqual([outcome.reason, asked], ["certificate", 0]);
});

test("the certificate of each server of a redirect is judged, and a server without TLS has none", async () => {
  await using last = await httpPeer((_, response) => response.end(), selfSigned);
  await using middle = await httpPeer((_, response) => {
    response.writeHead(302, { Location: `https://localhost:${last.port}/` }).end();
  }, good);
  await using first = await httpPeer((_, response) => {
    response.writeHead(302, { Location: `https://localhost:${middle.port}/` }).end();
  });
  const run = (verify: boolean) =>
    httpCheck
      .prepare({ target: `http://localhost:${first.port}/`, follow: true, verify })
      .run(contextOf());
  const refused = await run(true);
  assert.deepEqual(
    [refused.reason, refused.message],
    [
      "certificate",
      `Invalid cert: self-signed (after a redirect to https://localhost:${last.port}/)`,
    ],
  );
  assert.deepEqual(refused.certificate, certificateFacts(selfSigned));
  assert.equal((await run(false)).passed, true);
  await using other = await httpPeer((_, response) => {
    response.writeHead(302, { Location: `http://localhost:${first.port}/` }).end();
  }, selfSigned);
  const atOnce = await httpCheck
    .prepare({ target: `https://localhost:${other.port}/`, follow: true, verify: true })
    .run(contextOf());
  assert.equal(atOnce.reason, "certificate");
});
