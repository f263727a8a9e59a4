import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { InvalidInput } from "../../kit/errors.ts";

const MOST_LABEL_BYTES = 63;
/** RFC 1035, 3.1: with the length byte of each label and the empty label at the end. */
const MOST_BYTES = 255;
const POINTER = 0xc0;
/** Printable ASCII except dot and backslash. */
const PLAIN = /^[!-\-/-[\]-~]*$/;

/** The name in wire format. */
export function encodeName(name: string): Buffer {
  const labels = name === "." ? [] : name.replace(/\.$/, "").split(".");
  const sized = labels.map((label) => ({ label, size: Buffer.byteLength(label) }));
  const parts = sized.map(({ label, size }) => `${String.fromCharCode(size)}${label}`);
  const encoded = Buffer.from(`${parts.join("")}\0`);
  const fits = sized.every(({ size }) => size > 0 && size <= MOST_LABEL_BYTES);
  if (!fits || encoded.length > MOST_BYTES)
    throw new InvalidInput(`this is not a domain name: ${JSON.stringify(name)}`);
  return encoded;
}

/** The name at that offset, without a trailing dot, and the offset after it. */
export function readName(
  message: Buffer,
  start: number,
): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let length = 1;
  let at = start;
  let end: number | undefined;
  // A pointer must lead to before the name that it is in, which rules out loops.
  let limit = start;
  for (let size = message.readUInt8(at); size > 0; size = message.readUInt8(at)) {
    if (size >= POINTER) {
      end ??= at + 2;
      at = message.readUInt16BE(at) & 0x3fff;
      if (at >= limit) throw new ProtocolError("a DNS name that points forwards");
      limit = at;
      continue;
    }
    length += size + 1;
    if (size > MOST_LABEL_BYTES || length > MOST_BYTES)
      throw new ProtocolError("a DNS name that is too long");
    labels.push(labelOf(message.toString("latin1", at + 1, at + 1 + size)));
    at += size + 1;
  }
  return { name: labels.length === 0 ? "." : labels.join("."), end: end ?? at + 1 };
}

/** RFC 1035, 5.1: special characters are escaped with a backslash. */
function labelOf(letters: string): string {
  if (PLAIN.test(letters)) return letters;
  return letters
    .replaceAll(/[.\\]/g, String.raw`\$&`)
    .replaceAll(/[^!-~]/g, (letter) => `\\${String(letter.charCodeAt(0)).padStart(3, "0")}`);
}

/** Compares names, ignoring case and a trailing dot. */
export function sameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.replace(/(?<=.)\.$/, "").toLowerCase();
  return one === other || plain(one) === plain(other);
}

/** The reverse name of an address for PTR records, or in the same format in another zone. */
export function reverseName(
  address: string,
  zone = isIP(address) === 4 ? "in-addr.arpa" : "ip6.arpa",
): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray();
  const labels =
    parsed.kind() === "ipv4" ? bytes.map(String) : Array.from(Buffer.from(bytes).toString("hex"));
  return [...labels.toReversed(), zone].join(".");
}

/** The address whose reverse name it is; of a part of one the network's, undefined for any other name. */
export function addressOfReverseName(name: string): string | undefined {
  const [, labels = "", zone = ""] =
    /^((?:[^.]+\.)*)(in-addr|ip6)\.arpa\.?$/i.exec(name.toLowerCase()) ?? [];
  const isPart = zone === "ip6" ? /^[\da-f]$/ : /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;
  const parts = labels.split(".").slice(0, -1).toReversed();
  const end = parts.findIndex((part) => !isPart.test(part));
  const leading = end === -1 ? parts : parts.slice(0, end);
  if (leading.length === 0) return undefined;
  return zone === "ip6"
    ? leading
        .join("")
        .padEnd(32, "0")
        .slice(0, 32)
        .replaceAll(/.{4}(?=.)/g, "$&:")
    : [...leading, 0, 0, 0].slice(0, 4).join(".");
}
