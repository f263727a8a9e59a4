import { isIPv6 } from "node:net";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { Interrupted, type Phase } from "../../kit/net/dial.ts";
import { DnsFailure } from "../../kit/net/resolver.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import { failed, type Outcome, type Reason } from "../../domain/run/outcome.ts";
import { evidenceText } from "./evidence.ts";

type Failure = readonly [reason: Exclude<Reason, "ok">, text: string];

const BY_CODE: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: ["refused", "Connection refused"],
  EHOSTUNREACH: ["unreachable", "No route to host"],
  EHOSTDOWN: ["unreachable", "No route to host"],
  ENETUNREACH: ["unreachable", "No route to host"],
  ENETDOWN: ["unreachable", "No route to host"],
  // Linux errors for ICMP's "protocol unreachable" and "host isolated".
  ENOPROTOOPT: ["unreachable", "No route to host"],
  ENONET: ["unreachable", "No route to host"],
  ETIMEDOUT: ["timeout", "Timeout"],
  ECONNRESET: ["protocol", "Connection reset"],
  ECONNABORTED: ["protocol", "Connection reset"],
  EPIPE: ["protocol", "Connection reset"],
};

const WHILE: Readonly<Record<Phase, string>> = {
  dns: "looking up the name",
  connect: "connecting",
  tls: "in the TLS handshake",
  answer: "waiting for the answer",
  body: "reading the body",
};

const ENDED: ReadonlySet<string> = new Set(["Connection closed", "Connection reset"]);

function unansweredLookup(
  outcome: Outcome,
  unanswered: NonNullable<Outcome["unanswered"]>,
  lookup: string | undefined,
): Outcome {
  return { ...outcome, unanswered, ...(lookup !== undefined && { lookup }) };
}

/** The outcome of an error that the target caused. Rethrows errors of our own, such as a lack of sockets. */
export function failureOf(error: unknown): Outcome {
  if (error instanceof Interrupted) {
    const outcome = failed("timeout", "Timeout", `Timeout ${WHILE[error.phase]}`);
    const isLookup = error.phase === "dns" && error.address === undefined;
    return isLookup
      ? unansweredLookup(outcome, "silent", error.lookup)
      : at(error.address, outcome);
  }
  const code = codeOf(error) ?? "";
  if (code === "blocked") return failed("blocked", "Blocked", messageOf(error));
  if (code === "dns_failure") {
    const outcome = failed("dns", "Error", messageOf(error));
    if (!(error instanceof DnsFailure) || error.unanswered === undefined) return outcome;
    return unansweredLookup(outcome, error.unanswered, error.lookup);
  }
  if (error instanceof ProtocolError) {
    const outcome = failed("protocol", "Protocol error", `Protocol error: ${error.message}`);
    return error.received === undefined
      ? outcome
      : { ...outcome, evidence: evidenceText(error.received) };
  }
  const address = addressOf(error);
  const tls = tlsFault(code);
  if (tls !== undefined) return failed("tls", "TLS error", `TLS error: ${tls}`);
  const failure = BY_CODE[isForbiddenByTarget(code, address) ? "EHOSTUNREACH" : code];
  if (failure === undefined) throw error;
  // Node uses this code also for a connection that was closed early, then without a system call.
  const [reason, text] =
    code === "ECONNRESET" && !isSystemError(error)
      ? (["protocol", "Connection closed"] as const)
      : failure;
  const what = ENDED.has(text) ? `${text} ${duringPhase(error)}` : text;
  return at(address, failed(reason, text, address === undefined ? what : `${what}: ${address}`));
}

/** The phase that an error is marked with. Errors of an established connection need no mark. */
function duringPhase(error: unknown): string {
  const phase = error instanceof Error && "phase" in error ? error.phase : undefined;
  if (phase === "tls") return WHILE.tls;
  return `while ${phase === "connect" || phase === "body" ? WHILE[phase] : WHILE.answer}`;
}

/** Linux reports a firewall of the target so over IPv6 ("administratively prohibited"), and one of this machine so over IPv4. */
function isForbiddenByTarget(code: string, address: string | undefined): boolean {
  return code === "EACCES" && address !== undefined && isIPv6(address);
}

function at(address: string | undefined, outcome: Outcome): Outcome {
  return address === undefined ? outcome : { ...outcome, address };
}

function addressOf(error: unknown): string | undefined {
  return error instanceof Error && "address" in error && typeof error.address === "string"
    ? error.address
    : undefined;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function tlsFault(code: string): string | undefined {
  if (code === "EPROTO") return "handshake failed";
  const [, fault] = /^ERR_(?:SSL|TLS)_(.+)$/.exec(code) ?? [];
  return fault?.toLowerCase().replaceAll("_", " ");
}
