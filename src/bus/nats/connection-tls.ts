import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

import type { connect } from "@nats-io/transport-node";

import type { NatsAccess } from "./access.ts";

type Options = Pick<NonNullable<Parameters<typeof connect>[0]>, "tls">;

/** With `nats://` and nothing else, a server that has TLS is verified for its name all the same, by the client's own means. */
export function tlsOf({ servers, requiresTls, ca, certificate }: NatsAccess): Options {
  if (!requiresTls && ca === undefined && certificate === undefined) return {};
  const addresses = servers.map(hostOf).filter((host) => isIP(host) !== 0);
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate.chain, key: certificate.key.reveal() }),
    checkServerIdentity: (name: string, shown: PeerCertificate) =>
      identityError(name, shown, addresses),
  };
  return { tls };
}

/** The client names no host to TLS where it dials an address, and TLS then takes `localhost` for its name. */
function identityError(
  name: string,
  shown: PeerCertificate,
  addresses: readonly string[],
): Error | undefined {
  const error = checkServerIdentity(name, shown);
  if (name !== "localhost" || addresses.length === 0) return error;
  const errors = addresses.map((address) => checkServerIdentity(address, shown));
  return errors.includes(undefined) ? undefined : errors[0];
}

function hostOf(server: string): string {
  const [, bracketed, plain = ""] = /^(?:\[(.*)\]|(.*)):\d+$/.exec(server) ?? [];
  return bracketed ?? plain;
}
