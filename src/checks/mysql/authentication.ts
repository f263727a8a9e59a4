import { createHash, publicEncrypt } from "node:crypto";

import { ProtocolError } from "../../kit/protocol-error.ts";

/** A password and the authentication method to prove it by. */
export interface AuthCredentials {
  readonly method: string;
  /** Empty if there is none. */
  readonly password: string;
  readonly nonce: Buffer;
}

export const NATIVE = "mysql_native_password";
export const CACHING_SHA2 = "caching_sha2_password";

const EMPTY = Buffer.alloc(0);
/** The length that MariaDB's client_ed25519 expects; any other length counts as a broken login and gets our address blocked. */
const NO_RESPONSE = Buffer.alloc(64);

const METHODS: ReadonlyMap<string, (password: string, nonce: Buffer) => Buffer> = new Map([
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
  return METHODS.has(method);
}

/** The response to the server's challenge; for an unknown method one that proves nothing. */
export function authResponse({ method, password, nonce }: AuthCredentials): Buffer {
  const compute = METHODS.get(method);
  if (compute === undefined) return NO_RESPONSE;
  return password === "" ? EMPTY : compute(password, nonce);
}

/** Encrypts the password with the server's key, by RSA-OAEP with SHA-1. Without TLS the key is not verified. */
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

/** Repeats the second buffer if it is shorter. */
function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index % other.length] ?? 0)));
}
