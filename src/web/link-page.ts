import type { IncomingHttpHeaders } from "node:http";

import type { AddressLinks, LinkedAddress, MailboxOf } from "../channels/mail/address-links.ts";
import type { AuditEntry } from "../domain/account/audit.ts";
import type { Address } from "../domain/contact/contact.ts";
import { html, textOf, verbatim, type Safe } from "../kit/html.ts";
import type { Store } from "../store/store.ts";
import { pageHeaders } from "./pages.ts";

/** A page behind a link of a mail. */
export interface LinkPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

/** Request data available to a page besides its parameters. */
export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** The key under which the client is counted. */
  readonly client: string;
}

/** Following the link of a mail asks first, because programs that read mails follow links too; posting to it acts. */
export type LinkPages = Readonly<
  Record<
    "ask" | "act",
    (query: URLSearchParams, form: URLSearchParams, request: PageRequest) => Promise<LinkPage>
  >
>;

interface Deps {
  readonly store: Pick<Store, "contacts">;
  readonly links: Pick<AddressLinks, "verify">;
}

/** Serves a page for an address, if the link is one of ours to it. */
export function forLinkedAddress(
  { store, links }: Deps,
  answer: (
    linked: LinkedAddress,
    address: Address,
    request: PageRequest,
  ) => Promise<LinkPage> | LinkPage,
): LinkPages["ask"] {
  return async (query, _form, request) => {
    let address: Address | undefined;
    const mailboxOf: MailboxOf = async ({ accountId, contactId, addressId }) => {
      const contact = await store.contacts.find(accountId, contactId);
      address = contact?.addresses.find(({ id }) => id === addressId);
      return address?.address;
    };
    const linked = await links.verify(query, mailboxOf);
    return linked === undefined || address === undefined
      ? linkPage(
          404,
          html`<p>This link leads to no address: it is not whole, or the address is gone.</p>`,
        )
      : answer(linked, address, request);
  };
}

/** Creates the audit entry of a change through a mail link. */
export function linkEntry(
  { accountId, contactId, addressId, mailbox }: Omit<LinkedAddress, "about" | "until">,
  change: Pick<AuditEntry, "at" | "client" | "operation" | "fields">,
): AuditEntry {
  const actor = { kind: "link", id: addressId, name: mailbox, contactId } as const;
  return { ...change, accountId, actor, recordId: contactId };
}

/** `toRoot` leads from the path of the page to that of the installation. */
export function linkPage(
  status: number,
  content: Safe | undefined,
  { toRoot = "", language = "en" } = {},
): LinkPage {
  return {
    status,
    headers: {
      ...pageHeaders,
      "content-security-policy": pageHeaders["content-security-policy"].replace(
        "form-action 'none'",
        "form-action 'self'",
      ),
      "content-type": "text/html; charset=utf-8",
    },
    body: textOf(
      html`${verbatim("<!doctype html>")}
        <html lang="${language}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>Watchpost</title>
            <link rel="stylesheet" href="${toRoot}page.css" />
          </head>
          <body>
            <header><h1>Watchpost</h1></header>
            <main>${content}</main>
          </body>
        </html>`,
    ),
  };
}
