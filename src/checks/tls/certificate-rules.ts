import { failed, type Outcome } from "../../domain/run/outcome.ts";
import type { PeerCertificate } from "../../kit/net/peer-certificate.ts";
import type { TlsFacts } from "./handshake.ts";

const DAY_MS = 86_400_000;
const MAX_NAMES_SHOWN = 3;
/** Deprecated by RFC 8996. */
const OLD_PROTOCOLS: ReadonlySet<string> = new Set(["TLSv1", "TLSv1.1"]);

const TRUST_ERRORS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not yet valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted issuer",
  UNABLE_TO_GET_ISSUER_CERT: "incomplete chain",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "incomplete chain",
  INVALID_PURPOSE: "not meant for a server",
  // Node has no code of its own for all that remains, such as a name that the issuer may not sign.
  UNSPECIFIED: "not trusted",
};

type Message = readonly [text: string, message: string];

/** The texts of a check type for problems with a certificate. */
export interface CertificateMessages {
  readonly invalid: (problem: string) => Message;
  readonly mismatch: (names: string) => Message;
  readonly ends: (day: string) => Message;
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
  /** Whether the certificate must be trusted and match the name. */
  readonly verify: boolean;
  /** Fails that many days before the first certificate of the chain expires. */
  readonly warningDays: number | undefined;
  readonly messages: CertificateMessages;
  readonly now: number;
}

/** Returns the failure of a TLS handshake by the rules; undefined if there is none. */
export function judgeCertificate(facts: TlsFacts, rules: Rules): Outcome | undefined {
  const { verify, warningDays, messages, now } = rules;
  const { chain, protocol, trustError, matchesHost, names, weakness } = facts;
  const invalid = (problem: string): Outcome => failed("certificate", ...messages.invalid(problem));
  const end = firstEnd(chain);
  if ((verify || warningDays !== undefined) && end.validTo <= now)
    return invalid(`expired on ${endOf(end, chain)}`);
  if (verify) {
    const start = Math.max(...chain.map(({ validFrom }) => validFrom));
    if (start > now) return invalid(`not valid before ${dayOf(start)}`);
    if (trustError !== undefined) return invalid(TRUST_ERRORS[trustError] ?? inWords(trustError));
    if (!matchesHost)
      return failed(
        "certificate",
        ...messages.mismatch(names.slice(0, MAX_NAMES_SHOWN).join(", ")),
      );
    if (weakness !== undefined) return invalid(weakness);
    if (OLD_PROTOCOLS.has(protocol))
      return failed("tls", "TLS error", `TLS error: ${protocol} is too old`);
  }
  if (warningDays === undefined || end.validTo - now > warningDays * DAY_MS) return undefined;
  return failed("certificate", ...messages.ends(endOf(end, chain)));
}

function firstEnd(chain: TlsFacts["chain"]): PeerCertificate {
  return chain.reduce((one, other) => (other.validTo < one.validTo ? other : one));
}

/** The day of expiry, and the subject if it is an issuer's certificate. */
function endOf({ subject, validTo }: PeerCertificate, [own]: TlsFacts["chain"]): string {
  return subject === own.subject ? dayOf(validTo) : `${dayOf(validTo)}: ${subject}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function inWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
