import { randomBytes, scryptSync, timingSafeEqual, type ScryptOptions } from "node:crypto";

/** Lower-case letters and digits without l, o, 0 and 1: 32 characters, so that random bytes select each equally often. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** 100 random bits. */
const PASSWORD_LENGTH = 20;

interface Cost {
  /** The binary logarithm of scrypt's N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The option with 32 MiB among the equal recommendations of OWASP (Password Storage Cheat Sheet); 0.3 s of one core. */
const COST: Cost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The most memory that a stored hash may demand. */
const MAX_BYTES = 2 ** 29;

/** 22 and 43 characters of base64 without padding are 16 and 32 bytes. */
const FORMAT =
  /^\$scrypt\$ln=(?<ln>[1-9]\d?),r=(?<r>[1-9]\d?),p=(?<p>[1-9])\$(?<salt>[a-z\d+/]{22})\$(?<hash>[a-z\d+/]{43})$/i;

/** A random password that is easy to copy and to read aloud. */
export function generatePassword(random: (size: number) => Uint8Array = randomBytes): string {
  return Array.from(random(PASSWORD_LENGTH), (byte) =>
    ALPHABET.charAt(byte % ALPHABET.length),
  ).join("");
}

/** Returns the stored form of a password: scrypt (RFC 7914) with its cost and salt, `$scrypt$ln=15,r=8,p=3$salt$hash`. Blocks its thread. */
export function hashPassword(plain: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = scryptSync(plain, salt, HASH_BYTES, optionsOf(COST));
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** The stored form of no password at all, which costs as much to verify as that of one. */
export const NO_PASSWORD = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Returns false also if the stored text is not such a hash, or demands too much memory. Blocks its thread. */
export function verifyPassword(plain: string, stored: string): boolean {
  const { ln, r, p, salt = "", hash = "" } = FORMAT.exec(stored)?.groups ?? {};
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  // Without a match all are NaN. N is below 2 to the power of 16 × r (RFC 7914, section 6).
  if (!(cost.ln < 16 * cost.r && bytesOf(cost) <= MAX_BYTES)) return false;
  const found = scryptSync(plain, Buffer.from(salt, "base64"), HASH_BYTES, optionsOf(cost));
  return timingSafeEqual(found, Buffer.from(hash, "base64"));
}

function optionsOf(cost: Cost): ScryptOptions {
  return { N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: bytesOf(cost) };
}

/** The memory as OpenSSL counts it: a table of N rows, p blocks and two more. */
function bytesOf({ ln, r, p }: Cost): number {
  return 128 * r * (2 ** ln + p + 2);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
