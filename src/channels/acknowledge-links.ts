import { createHmac } from "node:crypto";

import type { Alert, Notice } from "../domain/alert/alert.ts";
import { constantTimeEquals } from "../kit/crypto/seal.ts";
import type { Sealer } from "../kit/crypto/seal.ts";

export const acknowledgePath = "/acknowledge";

/** An outage, and the address that was alerted of it. */
export interface LinkedOutage {
  readonly accountId: string;
  readonly checkId: string;
  readonly outage: string;
  readonly contactId: string;
  readonly addressId: string;
}

/** Links in alerts, which let their receiver say without an API token that they see to the outage. One is of use for as long as that lasts. */
export interface AcknowledgeLinks {
  /** Undefined where the alert is of no outage that goes on. */
  readonly linkOf: (
    alert: Pick<Alert, "outage" | "accountId" | "checkId" | "contactId" | "addressId"> & {
      readonly notice: Pick<Notice, "state">;
    },
  ) => string | undefined;
  /** Undefined where the link is none of ours. */
  readonly verify: (query: URLSearchParams) => LinkedOutage | undefined;
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
  const proofOf = ({ accountId, checkId, outage, contactId, addressId }: LinkedOutage): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([accountId, checkId, outage, contactId, addressId]))
      .digest("base64url");
  return {
    linkOf({ notice, outage, accountId, checkId, contactId, addressId }) {
      if (outage === undefined || notice.state !== "failing") return undefined;
      const link = new URL(url);
      link.pathname = link.pathname.replace(/\/*$/, acknowledgePath);
      link.search = new URLSearchParams({
        account: accountId,
        check: checkId,
        outage,
        contact: contactId,
        address: addressId,
        proof: proofOf({ accountId, checkId, outage, contactId, addressId }),
      }).toString();
      return link.href;
    },
    verify(query) {
      const part = (name: string): string => query.get(name) ?? "";
      const linked = {
        accountId: part("account"),
        checkId: part("check"),
        outage: part("outage"),
        contactId: part("contact"),
        addressId: part("address"),
      };
      return constantTimeEquals(part("proof"), proofOf(linked)) ? linked : undefined;
    },
  };
}
