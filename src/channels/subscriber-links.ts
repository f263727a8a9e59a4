import { createHmac } from "node:crypto";

import { isWithinDomains, type StatusPage } from "../domain/status/status-page.ts";
import { constantTimeEquals, type Sealer } from "../kit/crypto/seal.ts";

/** Permissions of a link's holder: confirm mails, or stop them. */
export const linkPurposes = ["confirm", "stop"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export interface SubscriberLink {
  readonly subscriberId: string;
  readonly purpose: LinkPurpose;
}

type LinkedPage = Pick<StatusPage, "slug" | "domain">;

/** Links in mails to subscribers of status pages, who have no account. */
export interface SubscriberLinks {
  /** Returns the page's address. */
  readonly addressOf: (page: LinkedPage) => string;
  readonly linkOf: (link: SubscriberLink, page: LinkedPage) => string;
  /** Undefined if the link is invalid. */
  readonly verify: (query: URLSearchParams) => SubscriberLink | undefined;
}

export function createSubscriberLinks({
  sealer,
  url,
  statusDomains,
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** The public address of this installation. */
  readonly url: string;
  readonly statusDomains: readonly string[];
}): SubscriberLinks {
  const key = sealer.deriveKey("status page subscriber");
  const base = url.replace(/\/+$/, "");
  const proofOf = ({ subscriberId, purpose }: SubscriberLink): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([subscriberId, purpose]))
      .digest("base64url");
  const ownOriginOf = ({ domain }: LinkedPage): string | undefined =>
    domain !== undefined && isWithinDomains(domain, statusDomains)
      ? `${new URL(url).protocol}//${domain}`
      : undefined;
  return {
    addressOf: (page) => ownOriginOf(page) ?? `${base}/status/${page.slug}`,
    linkOf(link, page) {
      // If only the page's domain is reachable from outside, the link must use it.
      const origin = ownOriginOf(page);
      const path =
        origin === undefined ? `${base}/reports/subscriptions` : `${origin}/subscriptions`;
      const { subscriberId, purpose } = link;
      const query = { subscriber: subscriberId, for: purpose, proof: proofOf(link) };
      return `${path}?${new URLSearchParams(query).toString()}`;
    },
    verify(query) {
      const purpose = linkPurposes.find((each) => each === query.get("for"));
      const subscriberId = query.get("subscriber") ?? "";
      if (purpose === undefined) return undefined;
      const link = { subscriberId, purpose };
      // guard: proof of a subscriber's link = then
      return constantTimeEquals(query.get("proof") ?? "", proofOf(link)) ? link : undefined;
    },
  };
}
