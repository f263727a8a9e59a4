import { AuthorizationError } from "@nats-io/transport-node";

import { codeOf, messageOf } from "../../kit/errors.ts";

const untrusted =
  "the certificate of the NATS server is not signed by an authority that is trusted here: name the file of its authority in WATCHPOST_NATS_CA";

/** By the code of OpenSSL or Node, what an operator can do about it. */
const sentences: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the certificate of the NATS server has expired",
  CERT_NOT_YET_VALID: "the certificate of the NATS server is not valid yet",
};

/** What TLS 1.3 and 1.2 say of a certificate that is missing or not accepted. */
const certificateAlerts =
  /alert (?:certificate required|bad certificate|unknown ca|certificate unknown|handshake failure)/i;

/** Why there is no connection, as a sentence for the log. */
export function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  if (isRefusal(error))
    return "the NATS server does not know this user: put the line that was printed with its key among the users of the server, and reload it";
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(error) ?? codeOf(cause) ?? "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `the certificate of the NATS server is for another host: ${message}`;
  if (/support 'tls'|not available on this server/.test(message))
    return "the NATS server does not support TLS: give it a certificate, or use nats:// where nobody else hears the network";
  if (certificateAlerts.test(message))
    return `the NATS server does not accept the certificate of this process, see WATCHPOST_NATS_CERT: ${message}`;
  // Its alert is lost where the reset of the connection overtakes it.
  if (code === "ECONNRESET" || code === "EPIPE")
    return `the connection was reset: the NATS server stops, or does not accept the certificate of this process, see WATCHPOST_NATS_CERT: ${message}`;
  return sentences[code] ?? message;
}

/** Whether the server answered, and does not let this user in. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationError;
}
