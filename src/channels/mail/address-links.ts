import { createHmac } from "node:crypto";

import { constantTimeEquals, type Sealer } from "../../kit/crypto/seal.ts";

/** An address of a contact, and the mailbox that it is. */
export interface LinkTarget {
  readonly accountId: string;
  readonly contactId: string;
  readonly addressId: string;
  readonly mailbox: string;
  /** The check that the link shows, and an instant of the outage that it is about. */
  readonly about?: { readonly checkId: string; readonly at: number } | undefined;
}

/** Current mailbox of an address, if it is one. */
export type MailboxOf = (
  address: Omit<LinkTarget, "mailbox" | "about">,
) => Promise<string | undefined>;

export interface LinkedAddress extends LinkTarget {
  /** Until when the link says that it is good. */
  readonly until?: number | undefined;
}

/** Links in mails, which let their receiver decide about one address without an API token. */
export interface AddressLinks {
  readonly linkOf: (subscriber: LinkTarget, until?: number) => string;
  /** Undefined if the link is invalid, or was sent to a different mailbox than the address has now. */
  readonly verify: (
    query: URLSearchParams,
    mailboxOf: MailboxOf,
  ) => Promise<LinkedAddress | undefined>;
}

/** The name of the key keeps a link for one purpose from being one for another. */
export function createAddressLinks({
  sealer,
  key: keyName,
  path,
  url,
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly key: string;
  readonly path: string;
  /** The public address of this installation. */
  readonly url: string;
}): AddressLinks {
  const key = sealer.deriveKey(/* guard: keys of links = "" */ keyName);
  const proofOf = ({
    accountId,
    contactId,
    addressId,
    mailbox,
    until,
    about,
  }: LinkedAddress): string =>
    createHmac("sha256", key)
      .update(
        JSON.stringify([
          accountId,
          contactId,
          addressId,
          mailbox,
          ...(until === undefined ? [] : [until]),
          ...(about === undefined ? [] : [about.checkId, about.at]),
        ]),
      )
      .digest("base64url");
  return {
    linkOf(subscriber, until) {
      const link = new URL(url);
      link.pathname = link.pathname.replace(/\/*$/, path);
      const { accountId, contactId, addressId, about } = subscriber;
      link.search = new URLSearchParams({
        account: accountId,
        contact: contactId,
        address: addressId,
        ...(about !== undefined && { check: about.checkId, at: String(about.at) }),
        ...(until !== undefined && { until: String(until) }),
        proof: proofOf({ ...subscriber, until }),
      }).toString();
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
      const linked = {
        ...address,
        mailbox: (await mailboxOf(address)) ?? "",
        ...(query.has("until") && { until: Number(part("until")) }),
        ...(query.has("check") && { about: { checkId: part("check"), at: Number(part("at")) } }),
      };
      // guard: proof of an unsubscription = then
      return constantTimeEquals(part("proof"), proofOf(linked)) ? linked : undefined;
    },
  };
}
