import type { Sealer } from "../kit/crypto/seal.ts";
import { Conflict } from "../kit/errors.ts";

/** Its key in `meta`. */
export const KEY_CHECK = "sealed";

/** Creates a value that identifies the instance key of a database. */
export function createKeyCheck(sealer: Pick<Sealer, "seal">): string {
  return Buffer.from(sealer.seal("watchpost")).toString("hex");
}

/** Throws if the key is different, because no check could be read with it. `said` is the full message of the Conflict. */
export function verifyKeyCheck(sealer: Pick<Sealer, "open">, word: string, said: string): void {
  try {
    sealer.open(Buffer.from(word, "hex"));
  } catch (error) {
    throw new Conflict(said, { cause: error });
  }
}
