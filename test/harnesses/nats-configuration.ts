import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { createNatsUser, locationUserLine, serviceUserLine } from "../../src/cli/nats-user.ts";
import type { NatsUser } from "../../src/cli/nats-user.ts";

interface Given {
  readonly locations: readonly string[];
  /** Files of a certificate and its key; without them there is no TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** More of the configuration. */
  readonly more?: string;
}

export interface ShippedConfiguration {
  readonly text: string;
  readonly service: NatsUser;
  readonly users: Readonly<Record<string, NatsUser>>;
}

/** The configuration that is shipped, with a user for the service and one for each location. */
export async function shippedConfiguration({
  locations,
  tls,
  more = "",
}: Given): Promise<ShippedConfiguration> {
  const shipped = await readFile(
    join(import.meta.dirname, "../../deploy/nats-server.conf"),
    "utf8",
  );
  const service = createNatsUser();
  const users = Object.fromEntries(locations.map((code) => [code, createNatsUser()]));
  const lines = [
    serviceUserLine(service.publicKey),
    ...Object.entries(users).map(([code, { publicKey }]) => locationUserLine(code, publicKey)),
  ];
  const files =
    tls &&
    `tls { cert_file: ${JSON.stringify(tls.certificate)}, key_file: ${JSON.stringify(tls.key)} }`;
  const text = shipped
    .replace(/^listen: .*$/m, "")
    .replace(/^tls \{[^}]*\}$/m, files ?? "")
    .replace(/^.*# LOCATIONS:.*$/m, lines.join("\n"));
  return { text: `${text}\n${more}`, service, users };
}
