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

/** The bytes by which a text names its own encoding. */
const MARKS: readonly (readonly [mark: Buffer, charset: string])[] = [
  [Buffer.of(0xef, 0xbb, 0xbf), "utf-8"],
  [Buffer.of(0xff, 0xfe), "utf-16le"],
  [Buffer.of(0xfe, 0xff), "utf-16be"],
];
/** How much of a page browsers look through for its charset. */
const MAX_LOOKED_THROUGH = 1024;
const DECLARED =
  /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)|^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i;

/** The charset in which browsers read a page: that of its byte order mark, or else of its content type, or else the one that it declares itself. */
export function pageCharset(bytes: Uint8Array, contentType: string): string | undefined {
  const [, marked] = MARKS.find(([mark]) => mark.equals(bytes.subarray(0, mark.length))) ?? [];
  return marked ?? charsetOf(contentType) ?? declaredCharset(bytes, contentType);
}

function declaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  if (contentType !== "" && !/html|xml/i.test(contentType)) return undefined;
  const beginning = Buffer.from(bytes.subarray(0, MAX_LOOKED_THROUGH)).toString("latin1");
  const [, ofPage, ofXml] = DECLARED.exec(beginning) ?? [];
  const declared = ofPage ?? ofXml ?? "";
  // A declaration in ASCII cannot be in UTF-16.
  return declared === "" || /^utf-?16/i.test(declared) ? undefined : declared;
}
