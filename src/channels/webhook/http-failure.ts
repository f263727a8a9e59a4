import { Interrupted } from "../../kit/net/dial.ts";
import { type AddressRefusal, DeliveryFailed, codeOf, messageOf } from "../../kit/errors.ts";
import type { HttpResponseHead } from "../../kit/http/exchange.ts";
import { oneLine } from "../format/one-line.ts";

const MESSAGE_LENGTH = 500;

/** Statuses that ask for a later retry, besides all 5xx. */
const laterStatuses = new Set([408, 425, 429]);
/** A gateway lost the receiver's response. */
const lostStatuses = new Set([502, 504]);

/** The receiver's own error details; without them, the status and `Retry-After` count. */
export interface FailureDetails {
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Meaning of a permanent failure for the address. */
  readonly address?: AddressRefusal | undefined;
}

/** The failure of a response that is no acceptance. */
export function failureOfResponse(
  message: string,
  { status, headers }: HttpResponseHead,
  { now, ...refusal }: FailureDetails & { readonly now: number },
): DeliveryFailed {
  const retryable = refusal.retryable ?? (status >= 500 || laterStatuses.has(status));
  return new DeliveryFailed(message, {
    retryable,
    mayHaveArrived: lostStatuses.has(status),
    receiverAway: retryable && status >= 500,
    retryAfterMs: refusal.retryAfterMs ?? retryAfterMs(headers["retry-after"], now),
    address: retryable ? undefined : refusal.address,
  });
}

/** The egress policy and settings, which do not change between attempts. */
const lasting = new Set(["blocked", "invalid_input"]);
/** Failed before a byte of the request was written. */
const unreached = new Set([
  "dns_failure",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "unavailable",
]);

/** The failure of an exchange without a response. */
export function failureOfExchange(error: unknown): DeliveryFailed {
  if (error instanceof Interrupted) {
    const mayHaveArrived = error.phase === "answer";
    return new DeliveryFailed(`out of time in phase ${JSON.stringify(error.phase)}`, {
      cause: error,
      retryable: true,
      receiverAway: true,
      mayHaveArrived,
    });
  }
  const code = codeOf(error) ?? "";
  const retryable = !lasting.has(code);
  const mayHaveArrived = retryable && !unreached.has(code) && !isTlsRefusal(code);
  return new DeliveryFailed(oneLine(messageOf(error), MESSAGE_LENGTH), {
    cause: error,
    retryable,
    receiverAway: retryable,
    mayHaveArrived,
  });
}

function isTlsRefusal(code: string): boolean {
  return /CERT|SIGNATURE|^(ERR_TLS|ERR_SSL|EPROTO)/.test(code);
}

/** Parses a Retry-After header to ms from `now`: seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : httpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function httpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
