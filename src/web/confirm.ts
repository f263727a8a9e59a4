import type { AddressLinks, LinkedAddress, LinkTarget } from "../channels/mail/address-links.ts";
import type { Address } from "../domain/contact/contact.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
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
  readonly confirming: Pick<AddressLinks, "verify">;
  /** Mails the first password to a contact that waited for this. */
  readonly welcome: (contact: Pick<LinkTarget, "accountId" | "contactId">) => Promise<void>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** The owner of a mailbox agrees to messages there. */
export function createConfirmPage({ store, confirming, welcome, clock, log }: Deps): LinkPages {
  const linked = { store, links: confirming };
  /** Returned if there is nothing to confirm, or confirmation is no longer allowed. */
  const ended = ({ until = 0, mailbox }: LinkedAddress, { confirmed }: Address) => {
    if (confirmed) return confirmedPage(mailbox);
    if (until > /* guard: end of a link = 0 */ clock.now()) return undefined;
    return linkPage(
      410,
      html`<p>
        This link has expired. Whoever entered ${mailbox} can have another one sent there.
      </p>`,
    );
  };
  return {
    ask: forLinkedAddress(
      linked,
      (subscriber, address) =>
        ended(subscriber, address) ??
        linkPage(
          200,
          html`<p>
              Somebody asked for alerts to be sent to ${subscriber.mailbox}. None are sent there
              until you agree.
            </p>
            <form method="post"><button type="submit">Agree to alerts</button></form>`,
        ),
    ),
    act: forLinkedAddress(linked, async (subscriber, address, { client }) => {
      const page = ended(subscriber, address);
      if (page !== undefined) return page;
      const { accountId, contactId, addressId, mailbox } = subscriber;
      await store.write(async ({ contacts, audit }) => {
        await contacts.confirmMailbox(accountId, mailbox);
        const change = { operation: "PUT contacts", fields: ["confirmed"], client };
        await audit.insert(linkEntry(subscriber, { ...change, at: clock.now() }));
      });
      log.info("web.confirmed", { contact: contactId, address: addressId });
      await welcome({ accountId, contactId }).catch((error: unknown) =>
        log.warn("web.no_welcome", { contact: contactId, message: messageOf(error) }),
      );
      return confirmedPage(mailbox);
    }),
  };
}

function confirmedPage(mailbox: string): LinkPage {
  return linkPage(
    200,
    html`<p>Alerts go to ${mailbox}. Each of them ends with a link that stops them.</p>`,
  );
}
