import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DERIVED_BYTES = 32;

/** Encrypts what must not be readable in a stolen database: AES-256-GCM (NIST SP 800-38D), a fresh nonce each time. */
export interface Sealer {
  readonly seal: (plain: string) => Uint8Array;
  /** Throws where the bytes were sealed with another key or were changed. */
  readonly open: (sealed: Uint8Array) => string;
  /** A key for one purpose, the same whenever it is asked for, from which no other can be told (HKDF, RFC 5869). */
  readonly deriveKey: (purpose: string) => Uint8Array;
}

export function createSealer(key: Uint8Array): Sealer {
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString("utf8");
    },
    deriveKey: (purpose) => new Uint8Array(hkdfSync("sha256", key, "", purpose, DERIVED_BYTES)),
  };
}

/** How a token is kept: it has 153 random bits, so a plain digest is enough and looking it up takes the same time for all. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Compares in a time that tells nothing of where they differ; the length is no secret. */
export function constantTimeEquals(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
