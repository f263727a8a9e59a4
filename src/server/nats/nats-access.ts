import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import type { NatsAccess } from "../../bus/nats/access.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { InvalidInput, messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import type { Config } from "../../settings/config.ts";

type FileSetting = "WATCHPOST_NATS_CA" | "WATCHPOST_NATS_CERT" | "WATCHPOST_NATS_CERT_KEY";

/** Undefined if no broker is configured. Throws InvalidInput for a file that does not match its setting. */
export function natsAccessOf(config: Config): NatsAccess | undefined {
  const { WATCHPOST_NATS_URL: url, WATCHPOST_NATS_NKEY: seed } = config;
  if (url === undefined) return undefined;
  const ca = readPem(config, "WATCHPOST_NATS_CA");
  const chain = readPem(config, "WATCHPOST_NATS_CERT");
  const key = readPem(config, "WATCHPOST_NATS_CERT_KEY");
  if (ca !== undefined) assertUsable("WATCHPOST_NATS_CA", () => new X509Certificate(ca));
  if (chain === undefined || key === undefined) return { ...url, ca, certificate: undefined, seed };
  assertUsable("WATCHPOST_NATS_CERT", () => createSecureContext({ cert: chain }));
  assertUsable("WATCHPOST_NATS_CERT_KEY", () => createSecureContext({ cert: chain, key }));
  return { ...url, ca, certificate: { chain, key: new Secret(key) }, seed };
}

function readPem(config: Config, setting: FileSetting): string | undefined {
  const path = config[setting];
  if (path === undefined) return undefined;
  try {
    const text = readFileSync(path, "utf8");
    if (!text.includes("-----BEGIN ")) throw new Error("it is not in PEM");
    return text;
  } catch (cause) {
    const message = `${setting}: cannot read ${JSON.stringify(path)}: ${fileTrouble(cause)}`;
    throw new InvalidInput(message, { cause });
  }
}

function assertUsable(setting: FileSetting, use: () => unknown): void {
  try {
    use();
  } catch (cause) {
    throw new InvalidInput(`${setting}: cannot be used: ${messageOf(cause)}`, { cause });
  }
}
