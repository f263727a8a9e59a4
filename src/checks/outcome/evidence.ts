import { STATUS_CODES } from "node:http";

import { charsetOf, decodeText } from "../../kit/http/body-text.ts";
import type { HttpResponseHead } from "../../kit/http/exchange.ts";

/** More than a screen of it nobody reads in an alert. */
export const maxEvidenceLength = 4096;

/** Characters that no text has. */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/; // oxlint-disable-line no-control-regex -- they are what is looked for

/** What lets somebody in stays with whom it was given to. */
const SECRET_HEADERS =
  /^(?:set-cookie|(?:proxy-)?authentication-info):[^\n]*(?:\n[\t ][^\n]*)*\n?/gim;

/** Bytes that somebody may read; what is no text only by its size. */
export function evidenceText(bytes: Uint8Array, charset?: string): string {
  const text = decodeText(bytes.subarray(0, maxEvidenceLength), charset);
  return CONTROL.test(text)
    ? `(${bytes.length} bytes that are no text)`
    : text.replaceAll(SECRET_HEADERS, "");
}

/** The head of a web answer and the beginning of its body. */
export function httpEvidence(
  { status, headers }: HttpResponseHead,
  body: Uint8Array = new Uint8Array(),
): string {
  const lines = Object.entries(headers).flatMap(([name, value = ""]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  const head = [`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(), ...lines, ""].join("\n");
  // Header bytes arrive as Latin-1.
  const told = evidenceText(Buffer.from(head, "latin1"));
  if (body.length === 0) return told.trimEnd();
  const charset = charsetOf(String(headers["content-type"] ?? ""));
  return `${told}\n${evidenceText(body, charset)}`;
}
