import { createHmac, randomBytes } from "node:crypto";

import type { Clock } from "../clock.ts";
import { constantTimeEquals, type Sealer } from "../crypto/seal.ts";
import { cookieValues } from "./cookie-header.ts";

/**
 * Cookie of a browser that signed in with a mailbox. It grants no access, and only shows that an attempt with that mailbox is not a stranger's. It does not
 * reveal the mailbox and is invalid for any other.
 */
export interface DeviceCookie {
  /** Returns the key for counting the browser's attempts with the mailbox; undefined if it has not signed in with it. */
  readonly deviceOf: (header: string | undefined, mailbox: string) => string | undefined;
  /** Returns the header Set-Cookie after a sign-in with the mailbox. */
  readonly write: (header: string | undefined, mailbox: string) => string;
}

interface Deps {
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly clock: Pick<Clock, "now">;
  readonly isSecure: boolean;
}

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, section 5.5). */
const LIFETIME_MS = 180 * 86_400_000;
const NONCE_BYTES = 12;
/** People who share one browser. */
const MAX_PER_BROWSER = 4;
const PROOF = /^([\w-]{16})\.(\d{1,15})\.([\w-]{43})$/;

export function createDeviceCookie({ sealer, clock, isSecure }: Deps): DeviceCookie {
  const key = sealer.deriveKey("device cookie");
  const name = isSecure ? "__Host-watchpost-device" : "watchpost-device";
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  const proofOf = (mailbox: string, nonce: string, endsAt: number): string => {
    const mac = createHmac("sha256", key).update(
      JSON.stringify([/* guard: mailboxes of known browsers */ mailbox, nonce, endsAt]),
    );
    return `${nonce}.${endsAt}.${mac.digest("base64url")}`;
  };
  const proofsIn = (header: string | undefined): readonly string[] => {
    const [value = ""] = cookieValues(header, name);
    return value
      .split("~")
      .slice(0, MAX_PER_BROWSER)
      .filter((proof) => PROOF.test(proof));
  };
  const deviceIn = (proof: string, mailbox: string): string | undefined => {
    const [, nonce = "", end = ""] = PROOF.exec(proof) ?? [];
    const endsAt = Number(end);
    const isOurs = constantTimeEquals(proof, proofOf(mailbox, nonce, endsAt));
    return isOurs && endsAt > clock.now() ? nonce : undefined;
  };
  return {
    deviceOf(header, mailbox) {
      for (const proof of proofsIn(header)) {
        const device = deviceIn(proof, mailbox);
        if (device !== undefined) return device;
      }
      return undefined;
    },
    write(header, mailbox) {
      const others = proofsIn(header).filter((proof) => deviceIn(proof, mailbox) === undefined);
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      const own = proofOf(mailbox, nonce, clock.now() + LIFETIME_MS);
      const value = [own, ...others].slice(0, MAX_PER_BROWSER).join("~");
      return `${name}=${value}; Max-Age=${LIFETIME_MS / 1000}; ${attributes}`;
    },
  };
}
