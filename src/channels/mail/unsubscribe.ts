import type { Sealer } from "../../kit/crypto/seal.ts";
import { createAddressLinks, type AddressLinks } from "./address-links.ts";

export const unsubscribePath = "/unsubscribe";

/** Links that stop further mails to an address. */
export function createUnsubscribeLinks(installation: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly url: string;
}): AddressLinks {
  return createAddressLinks({ ...installation, key: "unsubscribe", path: unsubscribePath });
}
