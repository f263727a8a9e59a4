import { STATUS_CODES } from "node:http";

import { outcomeLimits } from "../../domain/run/outcome.ts";
import { decodeText, pageCharset } from "../../kit/http/body-text.ts";
import type { HttpResponseHead } from "../../kit/http/exchange.ts";

/** About one screen, which is what people read in an alert. */
export const maxEvidenceLength = outcomeLimits.evidence;

/** Control characters that do not occur in text. */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/; // oxlint-disable-line no-control-regex -- they are what is looked for

/** Headers that contain credentials for the next requests. */
const SECRET_HEADERS =
  /^(?:set-cookie|(?:proxy-)?authentication-info):[^\n]*(?:\n[\t ][^\n]*)*\n?/gim;

/** Received bytes as readable text; binary data is shown by its size only. */
export function evidenceText(bytes: Uint8Array, charset?: string): string {
  const text = decodeText(bytes.subarray(0, maxEvidenceLength), charset);
  return CONTROL.test(text)
    ? `(${bytes.length} bytes that are no text)`
    : text.replaceAll(SECRET_HEADERS, "");
}

/** The head of an HTTP response and the beginning of its body. */
export function httpEvidence(
  { status, headers }: HttpResponseHead,
  body: Uint8Array = new Uint8Array(),
): string {
  const lines = Object.entries(headers).flatMap(([name, value = ""]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  const head = [`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(), ...lines, ""].join("\n");
  // Node decodes headers as Latin-1.
  const text = evidenceText(Buffer.from(head, "latin1"));
  if (body.length === 0) return text.trimEnd();
  const charset = pageCharset(body, String(headers["content-type"] ?? ""));
  return `${text}\n${evidenceText(body, charset)}`;
}
