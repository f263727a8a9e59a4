import type { Sealer } from "../../../kit/crypto/seal.ts";

/** Opens the sealed target of a revision once for all of its results. */
export function createTargetOpener({
  open,
}: Pick<Sealer, "open">): (sealed: Uint8Array | undefined) => string {
  const opened = new Map<Uint8Array, string>();
  return (sealed) => {
    if (sealed === undefined) return "";
    const target = opened.get(sealed) ?? open(sealed);
    opened.set(sealed, target);
    return target;
  };
}
