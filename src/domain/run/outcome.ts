import type { Timings } from "./timings.ts";

/** Reasons for a run's outcome. Only `ok` passes; `blocked` is a refusal by the egress policy and never a failure. */
export const reasons = [
  "ok",
  "timeout",
  "refused",
  "unreachable",
  "dns",
  "tls",
  "certificate",
  "protocol",
  "auth",
  "mismatch",
  "status",
  "redirect",
  "listed",
  "stale",
  "metric",
  "blocked",
] as const;
export type Reason = (typeof reasons)[number];

/** Failures that a location without network access would report too. */
export const networkReasons: ReadonlySet<Reason> = new Set(["timeout", "unreachable", "dns"]);

/** Whether the run ended as it would at a location without network access. */
export function isNetworkFailure({
  reason,
  unreached,
}: Pick<Outcome, "reason" | "unreached">): boolean {
  return networkReasons.has(reason) || unreached === true;
}

/** A certificate that a target presented. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** Time of expiry. */
  readonly validTo: number;
}

const DAY_MS = 86_400_000;

/** Whole days until a certificate expires; negative after that. */
export function daysLeft({ validTo }: Pick<CertificateFacts, "validTo">, at: number): number {
  return Math.floor((validTo - at) / DAY_MS);
}

export interface Outcome {
  readonly passed: boolean;
  readonly reason: Reason;
  /** Short and countable: the `sc` of a result. */
  readonly text: string;
  /** One sentence for a person, without credentials: the `m` of a result. */
  readonly message: string;
  /** Charted instead of the run's duration where the type measures something else. */
  readonly runtimeMs?: number;
  readonly timings?: Timings;
  /** The address that was dialled, where one was. */
  readonly address?: string;
  /** The server's certificate, where there was TLS. */
  readonly certificate?: CertificateFacts;
  /** The beginning of the target's response; stored where the run failed. */
  readonly evidence?: string;
  /** The resolver of the location left a lookup unanswered: the probe finds out whether that is the target's failure, and reports the outcome without this. */
  readonly unanswered?: "refused" | "silent";
  /** The name of that lookup, where it is known; not reported either. */
  readonly lookup?: string;
  /** It passed because nothing answered, which a location without network access would see too. */
  readonly unreached?: boolean;
  /** Title of the page, if the run requested it. */
  readonly title?: string;
  /** Its times were not measured, because the probe's process was too busy. */
  readonly untimed?: boolean;
  /** A configuration that cannot run is final without rechecks. */
  readonly final?: boolean;
}

export function passed(text: string, message: string, extra: Partial<Outcome> = {}): Outcome {
  return { ...extra, passed: true, reason: "ok", text, message };
}

export function failed(reason: Exclude<Reason, "ok">, text: string, message: string): Outcome {
  return { passed: false, reason, text, message };
}

/** How many characters of each text of an outcome are kept. */
export const outcomeLimits = {
  text: 500,
  message: 4096,
  address: 100,
  name: 1000,
  evidence: 4096,
  title: 100,
} as const;

/** The beginning of a text, as both databases store it: PostgreSQL refuses U+0000, and UTF-8 has no unpaired surrogates. */
export function storableText(text: string, most: number): string {
  return text /* guard: texts of reports */
    .slice(0, most)
    .replaceAll("\0", "")
    .toWellFormed();
}

/** Control characters, and those that turn the direction of the text around them. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The beginning of a stranger's title, on one line and without control characters. */
export function storableTitle(title: string): string {
  const line = title.toWellFormed().replaceAll(/\s+/g, " ").replaceAll(UNSEEN, "").trim();
  return storableText(line, outcomeLimits.title)
    .replace(/\uFFFD$/, "")
    .trimEnd();
}

/** The outcome with its texts as they can be stored: what a target sends may be in them. */
export function storableOutcome(outcome: Outcome): Outcome {
  const { text, message, address, evidence, title, certificate } = outcome;
  return {
    ...outcome,
    text: storableText(text, outcomeLimits.text),
    message: storableText(message, outcomeLimits.message),
    ...(address !== undefined && { address: storableText(address, outcomeLimits.address) }),
    ...(evidence !== undefined && { evidence: storableText(evidence, outcomeLimits.evidence) }),
    ...(title !== undefined && { title: storableTitle(title) }),
    ...(certificate !== undefined && {
      certificate: {
        ...certificate,
        subject: storableText(certificate.subject, outcomeLimits.name),
        issuer: storableText(certificate.issuer, outcomeLimits.name),
      },
    }),
  };
}
