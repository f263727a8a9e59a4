import { createHmac } from "node:crypto";
import { domainToASCII } from "node:url";

import type { Subscriber } from "../../../domain/status/subscriber.ts";

/** Providers that deliver what differs by dots to one mailbox. */
const withoutDots = new Set(["gmail.com", "googlemail.com"]);

/** What shows whether a page has an address, or had it; with a key, so that nobody who reads the database can try addresses. */
export function digestOf(
  key: Uint8Array,
  { pageId, kind, address }: Pick<Subscriber, "pageId" | "kind"> & { readonly address: string },
): string {
  const same = kind === "email" ? mailboxKeyOf(address) : address;
  return createHmac("sha256", key)
    .update(JSON.stringify([pageId, kind, same]))
    .digest("base64url");
}

/** A mailbox without its tag, in one spelling. */
function mailboxKeyOf(mailbox: string): string {
  const at = mailbox.lastIndexOf("@");
  const domain = mailbox.slice(at + 1).toLowerCase();
  const ascii = domainToASCII(domain) || domain;
  const local = mailbox.slice(0, at).normalize("NFKC").toLowerCase().replace(/\+.*$/s, "");
  return `${withoutDots.has(ascii) ? local.replaceAll(".", "") : local}@${ascii}`;
}
