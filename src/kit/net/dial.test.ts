import assert from "node:assert/strict";
import test from "node:test";
import { TLSSocket } from "node:tls";

import { selfSigned } from "../../../test/peers/certificates.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { tlsPeer, tlsPeerWithoutExtensions } from "../../../test/peers/tls.ts";
import type { Peer } from "../../../test/peers/tcp.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { systemClock } from "../clock.ts";
import { dial } from "./dial.ts";
import { createEgress } from "./egress.ts";
import { createResolver } from "./resolver.ts";

const certificate = selfSigned();
const egress = createEgress({ mode: "private", resolver: createResolver() });

function dialTls(
  { host, port }: Peer,
  { verify = false, isInspected = false } = {},
): ReturnType<typeof dial> {
  const signal = new AbortController().signal;
  const tls = { servername: host, verify, isInspected };
  return dial({ host, port, egress, signal, monotonic: systemClock.monotonic, tls });
}

for (const group of ["X25519", "P-256", "X448", "P-384", "P-521", "ffdhe2048", "ffdhe3072"]) {
  test(`a server that has no key exchange but ${group} is spoken with`, async () => {
    await using peer = await tlsPeer({ ...certificate, ecdhCurve: group });
    const { socket, phases } = await dialTls(peer);
    socket.destroy();
    assert.ok(socket instanceof TLSSocket && phases.tls !== undefined);
  });
}

const old = [
  { name: "nothing newer than TLS 1.0", options: { minVersion: "TLSv1", maxVersion: "TLSv1" } },
  { name: "nothing newer than TLS 1.1", options: { minVersion: "TLSv1", maxVersion: "TLSv1.1" } },
  {
    name: "signatures by SHA-1",
    options: { maxVersion: "TLSv1.2", sigalgs: "ECDSA+SHA1" },
  },
] as const;

for (const { name, options } of old) {
  for (const isInspected of [false, true]) {
    test(`a server that has ${name} is spoken with, unless its trust is asked for, inspected: ${isInspected}`, async () => {
      await using peer = await tlsPeer({ ...certificate, ...options });
      const { socket } = await dialTls(peer, { isInspected });
      socket.destroy();
      await assert.rejects(dialTls(peer, { verify: true }), { code: /^ERR_SSL_/ });
    });
  }
}

const rsa = issue({ subject: "localhost", rsaBits: 2048 });

for (const [options, isSpokenWith] of [
  [{}, true],
  [{ isInspected: true }, true],
  [{ verify: true }, false],
] as const) {
  test(`a server that does not know RFC 5746 is spoken with by ${JSON.stringify(options)}: ${isSpokenWith}`, async () => {
    const heard: boolean[] = [];
    await using peer = await tlsPeerWithoutExtensions(rsa, (isContinued) =>
      heard.push(isContinued),
    );
    await assert.rejects(dialTls(peer, options));
    await waitFor("the client's answer", () => heard.length > 0);
    assert.deepEqual(heard, [isSpokenWith]);
  });
}
