import { failed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { PeerCertificate } from "../../kit/net/peer-certificate.ts";
import type { TlsFacts } from "./handshake.ts";

const DAY_MS = 86_400_000;
const MOST_NAMES_TOLD = 3;
/** RFC 8996 ended their use. */
const OLD_PROTOCOLS: ReadonlySet<string> = new Set(["TLSv1", "TLSv1.1"]);

const DISTRUST: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not yet valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted issuer",
  UNABLE_TO_GET_ISSUER_CERT: "incomplete chain",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "incomplete chain",
  INVALID_PURPOSE: "not meant for a server",
};

type Phrase = readonly [text: string, message: string];

/** How a type tells what is wrong with a certificate. */
export interface CertificateMessages {
  readonly invalid: (problem: string) => Phrase;
  readonly mismatch: (names: string) => Phrase;
  readonly ends: (day: string) => Phrase;
}

export const sslMessages: CertificateMessages = {
  invalid: (problem) => ["invalid", `Invalid cert: ${problem}`],
  mismatch: (names) => ["invalid", `Domain mismatch: ${names}`],
  ends: (day) => [`expires ${day}`, `Will expire ${day}`],
};

export const mailMessages: CertificateMessages = {
  invalid: (problem) => ["TLS error", `SSL cert failed: ${problem}`],
  mismatch: (names) => ["TLS error", `SSL cert failed: domain mismatch: ${names}`],
  ends: (day) => ["Cert expires", `Certificate expires ${day}`],
};

interface Rules {
  /** Whether it must be one that a careful client would trust. */
  readonly verify: boolean;
  /** Fails from that many days before the first certificate of the chain ends. */
  readonly warningDays: number | undefined;
  readonly words: CertificateMessages;
  readonly now: number;
}

/** What is wrong with the server's side of a TLS connection; undefined where nothing is. */
export function judgeCertificate(facts: TlsFacts, rules: Rules): Outcome | undefined {
  const { verify, warningDays, words, now } = rules;
  const { chain, protocol, trustError, matchesHost, names, weakness } = facts;
  const invalid = (problem: string): Outcome => failed("certificate", ...words.invalid(problem));
  const end = firstEnd(chain);
  if ((verify || warningDays !== undefined) && end.validTo <= now)
    return invalid(`expired on ${endOf(end, chain)}`);
  if (verify) {
    const start = Math.max(...chain.map(({ validFrom }) => validFrom));
    if (start > now) return invalid(`not valid before ${dayOf(start)}`);
    if (trustError !== undefined) return invalid(DISTRUST[trustError] ?? inWords(trustError));
    if (!matchesHost)
      return failed("certificate", ...words.mismatch(names.slice(0, MOST_NAMES_TOLD).join(", ")));
    if (weakness !== undefined) return invalid(weakness);
    if (OLD_PROTOCOLS.has(protocol))
      return failed("tls", "TLS error", `TLS error: ${protocol} is too old`);
  }
  if (warningDays === undefined || end.validTo - now > warningDays * DAY_MS) return undefined;
  return failed("certificate", ...words.ends(endOf(end, chain)));
}

function firstEnd(chain: TlsFacts["chain"]): PeerCertificate {
  return chain.reduce((one, other) => (other.validTo < one.validTo ? other : one));
}

/** The day, and whose certificate it is where it is not the server's own. */
function endOf({ subject, validTo }: PeerCertificate, [own]: TlsFacts["chain"]): string {
  return subject === own.subject ? dayOf(validTo) : `${dayOf(validTo)}: ${subject}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function inWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
