import { createHmac } from "node:crypto";

import type { Alert, Notice } from "../domain/alert/alert.ts";
import type { Address } from "../domain/contact/contact.ts";
import { constantTimeEquals, type Sealer } from "../kit/crypto/seal.ts";

export const acknowledgePath = "/acknowledge";

/** An outage, and the address that was alerted of it. */
export interface LinkedOutage {
  readonly accountId: string;
  readonly checkId: string;
  readonly outage: string;
  readonly contactId: string;
  readonly addressId: string;
}

/** Current target of an address; undefined if it no longer exists. */
export type AddressOf = (
  linked: Pick<LinkedOutage, "accountId" | "contactId" | "addressId">,
) => Promise<string | undefined>;

/**
 * Links in alerts with which recipients acknowledge the outage without an API token. Valid while the outage lasts and the address still has the same target.
 */
export interface AcknowledgeLinks {
  /** Undefined if the alert is not about a current outage. */
  readonly linkOf: (
    alert: Pick<Alert, "outage" | "accountId" | "checkId" | "contactId" | "addressId"> & {
      readonly notice: Pick<Notice, "state">;
    },
    to: Pick<Address, "address">,
  ) => string | undefined;
  /** Undefined if the link is invalid, or was sent to a target that the address no longer has. */
  readonly verify: (
    query: URLSearchParams,
    addressOf: AddressOf,
  ) => Promise<LinkedOutage | undefined>;
}

export function createAcknowledgeLinks({
  sealer,
  url,
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** The public address of this installation. */
  readonly url: string;
}): AcknowledgeLinks {
  const key = sealer.deriveKey("acknowledge");
  const proofOf = (
    { accountId, checkId, outage, contactId, addressId }: LinkedOutage,
    address: string,
  ): string =>
    createHmac("sha256", key)
      .update(
        JSON.stringify([
          accountId,
          checkId,
          outage,
          contactId,
          addressId,
          /* guard: recipients of acknowledgements */ address,
        ]),
      )
      .digest("base64url");
  return {
    linkOf({ notice, outage, accountId, checkId, contactId, addressId }, { address }) {
      if (outage === undefined || notice.state !== "failing") return undefined;
      const link = new URL(url);
      link.pathname = link.pathname.replace(/\/*$/, acknowledgePath);
      link.search = new URLSearchParams({
        account: accountId,
        check: checkId,
        outage,
        contact: contactId,
        address: addressId,
        proof: proofOf({ accountId, checkId, outage, contactId, addressId }, address),
      }).toString();
      return link.href;
    },
    async verify(query, addressOf) {
      const part = (name: string): string => query.get(name) ?? "";
      const linked = {
        accountId: part("account"),
        checkId: part("check"),
        outage: part("outage"),
        contactId: part("contact"),
        addressId: part("address"),
      };
      // The proof is compared all the same where there is no address, so that the timing does not show which ids exist.
      const address = await addressOf(linked);
      const isOurs = constantTimeEquals(part("proof"), proofOf(linked, address ?? ""));
      // guard: proof of an acknowledgement = right
      return isOurs && address !== undefined ? linked : undefined;
    },
  };
}
