import { createHmac } from "node:crypto";

import { sortedJson } from "../../configuration/declare.ts";

/** Creates a text that identifies a value without revealing it. */
export type ValueDigest = (value: unknown) => string;

/** Digests of each field in the other system and here. */
export type Pairs = Readonly<Record<string, readonly [there: string, here: string]>>;

const DIGEST_CHARACTERS = 16;

export function createDigest(key: string): ValueDigest {
  return (value) =>
    createHmac("sha256", key)
      .update(sortedJson(value ?? null))
      .digest("base64url")
      .slice(0, DIGEST_CHARACTERS);
}
