import { createHmac } from "node:crypto";

import type { Sealer } from "../../kit/crypto/seal.ts";
import { constantTimeEquals } from "../../kit/crypto/seal.ts";

/** An address of a contact, and the mailbox that it is. */
export interface Subscriber {
  readonly accountId: string;
  readonly contactId: string;
  readonly addressId: string;
  readonly mailbox: string;
}

/** Which mailbox an address is by now, where it is any. */
export type MailboxOf = (address: Omit<Subscriber, "mailbox">) => Promise<string | undefined>;

/** Links that stop further mails to an address, without an API token. */
export interface UnsubscribeLinks {
  readonly linkOf: (subscriber: Subscriber) => string;
  /** Undefined where the link is none of ours, or was sent to another mailbox than the address is by now. */
  readonly verify: (
    query: URLSearchParams,
    mailboxOf: MailboxOf,
  ) => Promise<Subscriber | undefined>;
}

export const unsubscribePath = "/unsubscribe";

export function createUnsubscribeLinks({
  sealer,
  url,
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** The public address of this installation. */
  readonly url: string;
}): UnsubscribeLinks {
  const key = sealer.deriveKey("unsubscribe");
  const proofOf = ({ accountId, contactId, addressId, mailbox }: Subscriber): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([accountId, contactId, addressId, mailbox]))
      .digest("base64url");
  return {
    linkOf(subscriber) {
      const link = new URL(url);
      link.pathname = link.pathname.replace(/\/*$/, unsubscribePath);
      const { accountId, contactId, addressId } = subscriber;
      const query = { account: accountId, contact: contactId, address: addressId };
      link.search = new URLSearchParams({ ...query, proof: proofOf(subscriber) }).toString();
      return link.href;
    },
    async verify(query, mailboxOf) {
      const part = (name: string): string => query.get(name) ?? "";
      const address = {
        accountId: part("account"),
        contactId: part("contact"),
        addressId: part("address"),
      };
      // No link is made for an empty mailbox; the proof is compared all the same, so that the timing does not show which ids exist.
      const subscriber = { ...address, mailbox: (await mailboxOf(address)) ?? "" };
      return constantTimeEquals(part("proof"), proofOf(subscriber)) ? subscriber : undefined;
    },
  };
}
