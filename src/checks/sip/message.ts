import { isIPv6 } from "node:net";

export interface SipRequest {
  /** The Call-ID, which the response repeats. */
  readonly id: string;
  readonly host: string;
  /** Undefined for the default port of the protocol. */
  readonly port: number | undefined;
  readonly transport: "udp" | "tcp" | "tls";
  /** The address for the response, for the Via header. */
  readonly sentBy: string;
}

/** The parsed head of a message, which may be malformed. */
export interface SipHead {
  /** Undefined if the message is not a response. */
  readonly status: number | undefined;
  readonly callId: string | undefined;
  readonly bodyBytes: number;
}

const ANSWER = /^SIP\/2\.0 ([1-6]\d\d)(?: |$)/i;
const REQUEST = /^\S+ \S+ SIP\/2\.0$/i;
/** With their compact forms (RFC 3261, 7.3.3). */
const callIdNames: ReadonlySet<string> = new Set(["call-id", "i"]);
const lengthNames: ReadonlySet<string> = new Set(["content-length", "l"]);

/** The lines of an OPTIONS request (RFC 3261, 11.1), with the empty line at the end. */
export function optionsRequest({
  id,
  host,
  port,
  transport,
  sentBy,
}: SipRequest): readonly string[] {
  const uri = `sip:${hostPort(host, port)}`;
  return [
    `OPTIONS ${uri} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${sentBy};branch=z9hG4bK${id};rport`,
    "Max-Forwards: 70",
    `From: <sip:watchpost@watchpost.invalid>;tag=${id}`,
    `To: <${uri}>`,
    `Call-ID: ${id}`,
    "CSeq: 1 OPTIONS",
    "Accept: application/sdp",
    "User-Agent: Watchpost",
    "Content-Length: 0",
    "",
  ];
}

/** As RFC 3261, 25.1 writes them: an IPv6 address in brackets. */
export function hostPort(host: string, port: number | undefined): string {
  const bracketed = isIPv6(host) ? `[${host}]` : host;
  return port === undefined ? bracketed : `${bracketed}:${port}`;
}

/** Returns whether the line can be the first of a message. */
export function isStartLine(line: string): boolean {
  return ANSWER.test(line) || REQUEST.test(line);
}

export function parseHead(lines: readonly string[]): SipHead {
  // RFC 3261, 7.3.1: a line that begins with white space continues the one before it.
  const [start = "", ...headers] = lines
    .join("\n")
    .replaceAll(/\n[ \t]+/g, " ")
    .split("\n");
  const [, status] = ANSWER.exec(start) ?? [];
  return {
    status: status === undefined ? undefined : Number(status),
    callId: valueOf(headers, callIdNames),
    bodyBytes: Number(valueOf(headers, lengthNames) ?? 0),
  };
}

/** The final status of the response to a request; undefined for provisional responses, and for those to other requests. */
export function finalStatus(
  { status, callId }: SipHead,
  { id }: Pick<SipRequest, "id">,
): number | undefined {
  return callId === id && status !== undefined && status >= 200 ? status : undefined;
}

function valueOf(headers: readonly string[], names: ReadonlySet<string>): string | undefined {
  for (const header of headers) {
    const colon = header.indexOf(":");
    if (colon !== -1 && names.has(header.slice(0, colon).trim().toLowerCase()))
      return header.slice(colon + 1).trim();
  }
  return undefined;
}
