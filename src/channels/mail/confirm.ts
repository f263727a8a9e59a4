import type { Sealer } from "../../kit/crypto/seal.ts";
import { createAddressLinks, type AddressLinks } from "./address-links.ts";

export const confirmPath = "/confirm";

/** Long enough for a holiday; after that, a new link is sent on request. */
export const confirmableMs = 14 * 24 * 3_600_000;

/** Links by which the owner of a mailbox agrees to messages of an account. */
export function createConfirmLinks(installation: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly url: string;
}): AddressLinks {
  return createAddressLinks({ ...installation, key: "confirm", path: confirmPath });
}
