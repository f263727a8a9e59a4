import type { Sealer } from "../kit/crypto/seal.ts";
import { Conflict } from "../kit/errors.ts";

/** Its key in `meta`. */
export const SEALED_WORD = "sealed";

/** What a database keeps, to be distinguished from one of another instance key. */
export function sealWord(sealer: Pick<Sealer, "seal">): string {
  return Buffer.from(sealer.seal("watchpost")).toString("hex");
}

/** With another key no check could be read, so it is better not to start. `said` is all that the Conflict says. */
export function verifyWord(sealer: Pick<Sealer, "open">, word: string, said: string): void {
  try {
    sealer.open(Buffer.from(word, "hex"));
  } catch (error) {
    throw new Conflict(said, { cause: error });
  }
}
