import assert from "node:assert/strict";
import test from "node:test";
import { TLSSocket } from "node:tls";

import { selfSigned } from "../../../test/peers/certificates.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { systemClock } from "../clock.ts";
import { dial } from "./dial.ts";
import { createEgress } from "./egress.ts";
import { createResolver } from "./resolver.ts";

const certificate = selfSigned();
const egress = createEgress({ mode: "private", resolver: createResolver() });

for (const group of ["X25519", "P-256", "X448", "P-384", "P-521", "ffdhe2048", "ffdhe3072"]) {
  test(`a server that has no key exchange but ${group} is spoken with`, async () => {
    await using peer = await tlsPeer({ ...certificate, ecdhCurve: group });
    const { socket, phases } = await dial({
      host: peer.host,
      port: peer.port,
      egress,
      signal: new AbortController().signal,
      monotonic: systemClock.monotonic,
      tls: { servername: peer.host, verify: false },
    });
    socket.destroy();
    assert.ok(socket instanceof TLSSocket && phases.tls !== undefined);
  });
}
