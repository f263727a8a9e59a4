import type { AddressLinks, LinkTarget } from "../channels/mail/address-links.ts";
import type { Clock } from "../kit/clock.ts";
import { html } from "../kit/html.ts";
import type { Log } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import {
  forLinkedAddress,
  linkEntry,
  linkPage,
  type LinkPage,
  type LinkPages,
} from "./link-page.ts";

interface Deps {
  readonly store: Pick<Store, "contacts" | "write">;
  readonly unsubscribing: Pick<AddressLinks, "verify">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** A POST to the link unsubscribes (RFC 8058). */
export function createUnsubscribePage({ store, unsubscribing, clock, log }: Deps): LinkPages {
  const linked = { store, links: unsubscribing };
  return {
    ask: forLinkedAddress(linked, (subscriber, { suppress }) =>
      suppress.all
        ? stoppedPage(subscriber)
        : linkPage(
            200,
            html`<p>Alerts go to ${subscriber.mailbox}.</p>
              <form method="post"><button type="submit">Send no more alerts there</button></form>`,
          ),
    ),
    act: forLinkedAddress(linked, async (subscriber, { suppress }, { client }) => {
      const { accountId, contactId, addressId, mailbox } = subscriber;
      await store.write(async ({ contacts, audit }) => {
        await contacts.suppressAddress({ accountId, contactId, addressId, address: mailbox });
        if (suppress.all) return;
        const change = { operation: "PUT contacts", fields: ["suppressall"], client };
        await audit.insert(linkEntry(subscriber, { ...change, at: clock.now() }));
      });
      log.info("web.unsubscribed", { contact: contactId, address: addressId });
      return stoppedPage(subscriber);
    }),
  };
}

function stoppedPage({ mailbox }: LinkTarget): LinkPage {
  return linkPage(
    200,
    html`<p>
      No more alerts go to ${mailbox}. Whoever runs this Watchpost can undo it:
      <code>suppressall</code> of the address.
    </p>`,
  );
}
