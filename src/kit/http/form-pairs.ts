import { InvalidInput } from "../errors.ts";

/** How many parameters one query or form may have. */
export const maxParameters = 10_000;

const AMPERSAND = 0x26;

/**
 * The names and values of a query or form, decoded as `URLSearchParams` decodes them, in time that is proportional to the length:
 * the parser of Node is quadratic for names without `=` (256 KiB of `a&` take 0.4 s). Throws InvalidInput for more than `maxParameters`.
 */
export function formPairs(text: string): readonly (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let start = 0; start < text.length;) {
    if (text.charCodeAt(start) === AMPERSAND) {
      start += 1;
      continue;
    }
    // guard: parameters of forms
    if (pairs.length === maxParameters)
      throw new InvalidInput(`parameters: more than ${maxParameters} of them`);
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    pairs.push(pairOf(text.slice(start, end)));
    start = end;
  }
  return pairs;
}

function pairOf(written: string): readonly [string, string] {
  const equals = written.indexOf("=");
  return equals === -1
    ? [decode(written), ""]
    : [decode(written.slice(0, equals)), decode(written.slice(equals + 1))];
}

function decode(written: string): string {
  return written.includes("%") || written.includes("+")
    ? decodedBytes(Buffer.from(written))
    : written.toWellFormed();
}

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];

/** Decodes in place what is a valid escape; what is no UTF-8 then becomes replacement characters. Nothing throws, for an exception costs more than the text. */
function decodedBytes(bytes: Buffer): string {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    if (low === -1) bytes[length] = byte === PLUS ? SPACE : byte;
    else bytes[length] = high * 16 + low;
    length += 1;
    if (low !== -1) at += 2;
  }
  return bytes.toString("utf8", 0, length);
}

/** The value of a digit's ASCII code; -1 for any other. */
function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  // Without bit 5 a letter is a capital.
  const letter = code & 0xdf;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1;
}
