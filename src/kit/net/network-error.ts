import { codeOf, messageOf } from "../errors.ts";

const noAnswer = "it does not answer";
const closed = "the connection was closed before the response was complete";
const untrusted = "its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file that trusts it";

const sentences: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  EADDRNOTAVAIL: "this machine has no address for it",
  EAI_AGAIN: "the DNS server of this machine does not answer",
  ECONNABORTED: closed,
  ECONNREFUSED: "nothing listens there, or a firewall refuses the connection",
  ECONNRESET: closed,
  EHOSTDOWN: noAnswer,
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "this machine has no network that leads to it",
  ENOTFOUND: "there is no such host name",
  EPIPE: closed,
  EPROTO: "it does not speak TLS; is it http:// rather than https://?",
  ERR_INVALID_URL: "that is not a URL",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS; is it http:// rather than https://?",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS; is it http:// rather than https://?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  ETIMEDOUT: noAnswer,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UND_ERR_BODY_TIMEOUT: closed,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  UND_ERR_HEADERS_TIMEOUT: noAnswer,
  UND_ERR_SOCKET: closed,
};

/** Describes why a request of `fetch` failed, which is in the cause of its error. */
export function networkTrouble(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(cause) ?? "";
  if (cause instanceof Error && cause.name === "TimeoutError") return noAnswer;
  if (cause instanceof Error && cause.name === "HTTPParserError") return "the response is not HTTP";
  const message = messageOf(cause);
  // Blocked ports of https://fetch.spec.whatwg.org/#port-blocking, such as 1 and 25.
  if (message === "bad port")
    return "no HTTP client connects to this port: it is one of another protocol";
  return sentences[code] ?? message;
}
