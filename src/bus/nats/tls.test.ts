import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { controllerAt } from "../../../test/harnesses/nats-harness.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { silentLog } from "../../kit/log.ts";
import type { NatsAccess } from "./access.ts";

const authority = issue({ subject: "an authority", authority: true });
const ca = authority.cert;
const certificateOf = (names: string, days = {}) =>
  issue({ subject: "the NATS server", names, issuer: authority, ...days });
const ofName = certificateOf("DNS:localhost");
const ofAddress = certificateOf("IP:127.0.0.1");
const ofOther = certificateOf("DNS:nats.example.com,IP:192.0.2.1");
const expired = certificateOf("IP:127.0.0.1", { fromDay: -9, toDay: -2 });
const client = issue({ subject: "a probe", issuer: authority });
const stranger = issue({ subject: "a probe" });

const server = 'tls { cert_file: "server.crt", key_file: "server.key" }';
const verifying =
  'tls { cert_file: "server.crt", key_file: "server.key", ca_file: "ca.crt", verify: true }';
const shown = ({ cert, key }: typeof client): Pick<NatsAccess, "certificate"> => ({
  certificate: { chain: cert, key: new Secret(key) },
});

interface Case {
  readonly name: string;
  readonly configuration?: string;
  readonly certificate?: typeof client;
  readonly host?: string;
  readonly access?: Partial<NatsAccess>;
  /** Undefined where it is connected. */
  readonly says?: RegExp;
}

const untrusted = /not signed by an authority that is trusted here: .* WATCHPOST_NATS_CA/;
const cases: readonly Case[] = [
  { name: "a server of that name", certificate: ofName, host: "localhost", access: { ca } },
  { name: "a server of that address, by its address", certificate: ofAddress, access: { ca } },
  {
    name: "a server of another name",
    certificate: ofOther,
    host: "localhost",
    access: { ca },
    says: /is for another host: .*nats\.example\.com/,
  },
  {
    name: "a server of another address",
    certificate: ofOther,
    access: { ca },
    says: /is for another host: .*192\.0\.2\.1/,
  },
  {
    name: "a server that says to be localhost, where an address was dialled",
    certificate: ofName,
    access: { ca },
    says: /is for another host: .*127\.0\.0\.1/,
  },
  { name: "an unknown authority", certificate: ofAddress, says: untrusted },
  {
    name: "an expired certificate",
    certificate: expired,
    access: { ca },
    says: /the certificate of the NATS server has expired/,
  },
  {
    name: "a server without TLS",
    configuration: "",
    access: { requiresTls: true },
    says: /does not support TLS: /,
  },
  {
    name: "a server that wants a certificate, and is shown one",
    configuration: verifying,
    certificate: ofAddress,
    access: { ca, ...shown(client) },
  },
  {
    name: "a server that wants a certificate, and is shown none",
    configuration: verifying,
    certificate: ofAddress,
    access: { ca },
    says: /does not accept the certificate of this process, see WATCHPOST_NATS_CERT: /,
  },
  {
    name: "a server that wants a certificate of another authority",
    configuration: verifying,
    certificate: ofAddress,
    access: { ca, ...shown(stranger) },
    says: /does not accept the certificate of this process, see WATCHPOST_NATS_CERT: /,
  },
];

// Two of them wait for the client, which gives up after 10 s.
suite("the connection to", { concurrency: true }, () => {
  for (const { name, configuration, certificate, host, access, says } of cases) {
    test(`${name} is ${says === undefined ? "connected to" : "refused with a sentence"}`, async () => {
      const files = {
        "ca.crt": ca,
        "server.crt": certificate?.cert ?? "",
        "server.key": certificate?.key ?? "",
      };
      await using broker = await nats(configuration ?? server, { files });
      const errors: string[] = [];
      const log = {
        ...silentLog,
        error: (_: string, fields = {}) => void errors.push(JSON.stringify(fields)),
      };
      await using bus = controllerAt(broker, {
        servers: [`${host ?? "127.0.0.1"}:${broker.port}`],
        requiresTls: true,
        ...access,
        log,
      });
      await waitFor("it has tried", () => bus.isConnected() || errors.length > 0);
      assert.equal(bus.isConnected(), says === undefined);
      assert.match(errors[0] ?? "", says ?? /^$/);
    });
  }
});
