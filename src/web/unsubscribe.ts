import type { MailboxOf, Subscriber, UnsubscribeLinks } from "../channels/mail/unsubscribe.ts";
import type { Address } from "../domain/contact/contact.ts";
import { escapeHtml } from "../kit/http/escape-html.ts";
import type { Log } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import { pageHeaders } from "./pages.ts";

export interface UnsubscribePage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Deps {
  readonly store: Pick<Store, "contacts" | "write">;
  readonly unsubscribing: Pick<UnsubscribeLinks, "verify">;
  readonly log: Log;
}

/** Following the link of a mail asks first, because programs that read mails follow links too; whoever posts to it is unsubscribed (RFC 8058). */
export function createUnsubscribePage({
  store,
  unsubscribing,
  log,
}: Deps): Readonly<Record<"ask" | "stop", (query: URLSearchParams) => Promise<UnsubscribePage>>> {
  const find = async ({
    accountId,
    contactId,
    addressId,
  }: Omit<Subscriber, "mailbox">): Promise<Address | undefined> => {
    const contact = await store.contacts.find(accountId, contactId);
    return contact?.addresses.find(({ id }) => id === addressId);
  };
  const mailboxOf: MailboxOf = async (subscriber) => (await find(subscriber))?.address;

  const stop = ({ accountId, contactId, addressId, mailbox }: Subscriber): Promise<void> =>
    store.write(({ contacts }) =>
      contacts.suppressAddress({ accountId, contactId, addressId, address: mailbox }),
    );

  const withSubscriber =
    (answer: (subscriber: Subscriber) => Promise<UnsubscribePage>) =>
    async (query: URLSearchParams): Promise<UnsubscribePage> => {
      const subscriber = await unsubscribing.verify(query, mailboxOf);
      return subscriber === undefined
        ? page(
            404,
            "<p>This link leads to no address: it is not whole, or the address is gone.</p>",
          )
        : answer(subscriber);
    };

  return {
    ask: withSubscriber(async (subscriber) =>
      (await find(subscriber))?.suppress.all === true
        ? stoppedPage(subscriber)
        : page(
            200,
            `<p>Alerts go to ${escapeHtml(subscriber.mailbox)}.</p><form method="post"><button type="submit">Send no more alerts there</button></form>`,
          ),
    ),
    stop: withSubscriber(async (subscriber) => {
      await stop(subscriber);
      log.info("web.unsubscribed", {
        contact: subscriber.contactId,
        address: subscriber.addressId,
      });
      return stoppedPage(subscriber);
    }),
  };
}

function stoppedPage({ mailbox }: Subscriber): UnsubscribePage {
  return page(
    200,
    `<p>No more alerts go to ${escapeHtml(mailbox)}. Whoever runs this Watchpost can undo it: <code>suppressall</code> of the address.</p>`,
  );
}

function page(status: number, content: string): UnsubscribePage {
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
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Watchpost</title><link rel="stylesheet" href="dashboard.css"></head><body><h1>Watchpost</h1>${content}</body></html>`,
  };
}
