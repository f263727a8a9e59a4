import { createHash, publicEncrypt } from "node:crypto";

import { ProtocolError } from "../../kit/protocol-error.ts";

/** To know a password, and by which method that is to be shown. */
export interface AuthCredentials {
  readonly method: string;
  /** Empty where there is none. */
  readonly password: string;
  readonly nonce: Buffer;
}

export const NATIVE = "mysql_native_password";
export const CACHING_SHA2 = "caching_sha2_password";

const NOTHING = Buffer.alloc(0);
/** For MariaDB's client_ed25519 any other length is no login at all, and a reason to block us. */
const NO_PROOF = Buffer.alloc(64);

const PROOFS: ReadonlyMap<string, (password: string, nonce: Buffer) => Buffer> = new Map([
  [
    NATIVE,
    (password, nonce) => {
      const key = digest("sha1", password);
      return xor(key, digest("sha1", nonce, digest("sha1", key)));
    },
  ],
  [
    CACHING_SHA2,
    (password, nonce) => {
      const key = digest("sha256", password);
      return xor(key, digest("sha256", digest("sha256", key), nonce));
    },
  ],
]);

export function isSupported(method: string): boolean {
  return PROOFS.has(method);
}

/** What shows that one knows the password, without telling it; by an unknown method it shows nothing. */
export function authResponse({ method, password, nonce }: AuthCredentials): Buffer {
  const prove = PROOFS.get(method);
  if (prove === undefined) return NO_PROOF;
  return password === "" ? NOTHING : prove(password, nonce);
}

/** The secret for the owner of the key, by RSA-OAEP with SHA-1. Whose key it is only TLS could say. */
export function encryptPassword(
  secret: Buffer,
  { nonce, key }: { readonly nonce: Buffer; readonly key: Buffer },
): Buffer {
  try {
    return publicEncrypt(key, xor(secret, nonce));
  } catch (error) {
    throw new ProtocolError("a key that cannot be used", { cause: error });
  }
}

function digest(algorithm: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The other is begun again where it is shorter. */
function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index % other.length] ?? 0)));
}
