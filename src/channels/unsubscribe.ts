import { createHmac } from "node:crypto";

import type { Sealer } from "../kit/seal.ts";
import { sameSecret } from "../kit/seal.ts";

/** An address of a contact, as a link names it. */
export interface Subscriber {
  readonly accountId: string;
  readonly contactId: string;
  readonly addressId: string;
}

/** Links by which whoever holds a mail of ours stops further ones, without a token of the API. */
export interface Unsubscribing {
  readonly linkOf: (subscriber: Subscriber) => string;
  /** Undefined where the link is none of ours. */
  readonly subscriberOf: (query: URLSearchParams) => Subscriber | undefined;
}

export const unsubscribePath = "/unsubscribe";

export function createUnsubscribing({
  sealer,
  url,
}: {
  readonly sealer: Pick<Sealer, "derive">;
  /** The public address of this installation. */
  readonly url: string;
}): Unsubscribing {
  const key = sealer.derive("unsubscribe");
  const proofOf = ({ accountId, contactId, addressId }: Subscriber): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([accountId, contactId, addressId]))
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
    subscriberOf(query) {
      const part = (name: string): string => query.get(name) ?? "";
      const subscriber = {
        accountId: part("account"),
        contactId: part("contact"),
        addressId: part("address"),
      };
      return sameSecret(part("proof"), proofOf(subscriber)) ? subscriber : undefined;
    },
  };
}
