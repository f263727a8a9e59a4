import type { IncomingHttpHeaders } from "node:http";

import { InvalidInput } from "../errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as text, in UTF-8 unless its content type names another charset. */
export function bodyText(bytes: Uint8Array, headers: IncomingHttpHeaders): string {
  assertPlain(headers);
  const charset = charsetOf(headers["content-type"]);
  try {
    const decoder = charset === undefined ? utf8 : new TextDecoder(charset, { fatal: true });
    return decoder.decode(bytes);
  } catch (error) {
    throw new InvalidInput(`body: not text in the charset ${JSON.stringify(charset ?? "utf-8")}`, {
      cause: error,
    });
  }
}

export function assertPlain(headers: IncomingHttpHeaders): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw new InvalidInput(`body: must not be compressed ${JSON.stringify(encoding)}`);
}

/** Bytes as text, with replacement characters for invalid bytes; in UTF-8 if the charset is unknown. */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The charset of a content type. */
export function charsetOf(contentType = ""): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}
