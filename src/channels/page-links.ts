import type { Alert, Notice } from "../domain/alert/alert.ts";
import type { Address } from "../domain/contact/contact.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import { createAddressLinks, type AddressLinks } from "./mail/address-links.ts";

export const pagePath = "/check";

/** The check, and when the outage that the link is about began and was alerted. */
type LinkedAlert = Pick<Alert, "accountId" | "contactId" | "checkId" | "createdAt"> & {
  readonly notice: Pick<Notice, "since" | "downForMs">;
};

/** Links in alerts, which show their receiver the one check without an API token. */
export interface PageLinks {
  /** Undefined if the operator disabled them. */
  readonly linkOf: (alert: LinkedAlert, to: Pick<Address, "id" | "address">) => string | undefined;
  readonly verify: AddressLinks["verify"];
}

const DAY_MS = 86_400_000;

/** Creates links that are valid for a number of days while the recipient's address exists; with 0, none are created. */
export function createPageLinks({
  days,
  ...installation
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** The public address of this installation. */
  readonly url: string;
  readonly days: number;
}): PageLinks {
  const links = createAddressLinks({ ...installation, key: "check page", path: pagePath });
  return {
    linkOf({ accountId, contactId, checkId, createdAt, notice }, { id: addressId, address }) {
      if (days === 0) return undefined;
      const about = { checkId, at: notice.since - (notice.downForMs ?? 0) };
      const subscriber = { accountId, contactId, addressId, mailbox: address, about };
      return links.linkOf(subscriber, createdAt + days * DAY_MS);
    },
    verify: links.verify,
  };
}
