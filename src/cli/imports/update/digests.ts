import { createHmac } from "node:crypto";

import { sortedJson } from "../../configuration/declare.ts";

/** A text that stands for a value, and does not say it. */
export type Digest = (value: unknown) => string;

/** By field the digest of what it was there, and of what it was here. */
export type Pairs = Readonly<Record<string, readonly [there: string, here: string]>>;

const DIGEST_CHARACTERS = 16;

export function createDigest(key: string): Digest {
  return (value) =>
    createHmac("sha256", key)
      .update(sortedJson(value ?? null))
      .digest("base64url")
      .slice(0, DIGEST_CHARACTERS);
}
