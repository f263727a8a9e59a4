import type { AcknowledgeLinks, LinkedOutage } from "../channels/acknowledge-links.ts";
import {
  acknowledgedByLink,
  maxAcknowledgementNoteLength,
  maxAcknowledgerLength,
  type Acknowledgement,
} from "../domain/alert/acknowledgement.ts";
import type { Clock } from "../kit/clock.ts";
import { html, type Safe } from "../kit/html.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Channel } from "../channels/channel.ts";
import { channelOf, type Channels } from "../channels/registry.ts";
import type { Address, Contact } from "../domain/contact/contact.ts";
import type { Store } from "../store/store.ts";
import type { CheckRecord } from "../store/tables/checks.ts";
import { acknowledgeOutage } from "../store/transactions/acknowledge-outage.ts";
import { linkEntry, linkPage, type LinkPage, type LinkPages } from "./link-page.ts";

interface Deps {
  readonly store: Pick<Store, "accounts" | "checks" | "contacts" | "write">;
  readonly channels: Channels;
  readonly acknowledging: Pick<AcknowledgeLinks, "verify">;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Has the notifier look at once. */
  readonly wake: () => void;
}

/** Acknowledges an outage by the link of its alert. */
export function createAcknowledgePage(deps: Deps): LinkPages {
  const { store, channels, acknowledging, ids, clock, log, wake } = deps;

  const withOutage =
    (
      answer: (opened: Opened, found: CheckRecord) => Promise<LinkPage> | LinkPage,
    ): LinkPages["ask"] =>
    async (query, form, { client }) => {
      let contact: Contact | undefined;
      let address: Address | undefined;
      const linked = await acknowledging.verify(query, async (named) => {
        contact = await store.contacts.find(named.accountId, named.contactId);
        address = contact?.addresses.find(({ id }) => id === named.addressId);
        return address?.address;
      });
      if (linked === undefined || contact === undefined || address === undefined)
        return linkPage(
          404,
          html`<p>
            This link acknowledges nothing: it is not whole, or the address that it was sent to no
            longer gets alerts.
          </p>`,
        );
      const { accountId, checkId, outage } = linked;
      const account = await store.accounts.find(accountId);
      const found = account?.status === "active" && (await store.checks.find(accountId, checkId));
      if (!found) return linkPage(404, html`<p>The check that this link is about is gone.</p>`);
      return found.state.outage === outage
        ? answer({ linked, form, client, contact, address }, found)
        : linkPage(200, html`<p>${nameOf(found)} is up again: that outage is over.</p>`);
    };
  return {
    ask: withOutage(({ contact }, found) => linkPage(200, formPart(found, contact))),
    act: withOutage(async ({ linked, form, client, contact, address }, { check }) => {
      const { contactId, addressId, outage } = linked;
      const recipient = nameOfAddress(contact, address, channelOf(channels, address.kind));
      const given = (name: string, most: number): string =>
        (form.get(name) ?? "").toWellFormed().trim().slice(0, most);
      const acknowledgement = {
        at: clock.now(),
        by: acknowledgedByLink(given("by", maxAcknowledgerLength) || contact.name, recipient),
        note: given("note", maxAcknowledgementNoteLength),
      };
      const isDone = await store.write(
        async (tx) => {
          const from = { contactId, addressId };
          if (!(await acknowledgeOutage(tx, { check, outage, acknowledgement, from }, ids)))
            return false;
          const change = { operation: "ACKNOWLEDGE checks", fields: ["by", "note"], client };
          const entry = linkEntry(
            { ...linked, mailbox: recipient },
            { ...change, at: clock.now() },
          );
          // guard: acknowledgements in the audit log
          await tx.audit.insert({ ...entry, recordId: check.id });
          return true;
        },
        { checks: [check.no] },
      );
      if (!isDone) return linkPage(200, html`<p>It is up again: that outage is over.</p>`);
      log.info("web.acknowledged", { check: check.id, contact: contactId, address: addressId });
      wake();
      return linkPage(200, html`<p>${sentenceOf(acknowledgement)}</p>`);
    }),
  };
}

/** One of our links whose recipient still gets alerts. */
interface Opened {
  readonly linked: LinkedOutage;
  readonly form: URLSearchParams;
  readonly client: string;
  readonly contact: Contact;
  readonly address: Address;
}

/** The recipient of a link as all may know it: addresses that are credentials go by the name of their contact. */
function nameOfAddress(
  { name }: Pick<Contact, "name">,
  { kind, address }: Pick<Address, "kind" | "address">,
  { showsAddress }: Pick<Channel, "showsAddress">,
): string {
  return showsAddress === true ? address : `${name === "" ? "a contact" : name} (${kind})`;
}

function formPart(found: CheckRecord, contact: Pick<Contact, "name">): Safe {
  const { acknowledgement } = found.state;
  const known = acknowledgement && html`<p>${sentenceOf(acknowledgement)}</p>`;
  return html`<p>${nameOf(found)} is down.</p>
    ${known}
    <form method="post">
      <p>
        <label
          >Your name <input name="by" maxlength="${maxAcknowledgerLength}" value="${contact.name}"
        /></label>
      </p>
      <p>
        <label>Note <input name="note" maxlength="${maxAcknowledgementNoteLength}" /></label>
      </p>
      <p><button type="submit">I see to it</button></p>
    </form>
    <p>
      Until it is up again nobody is reminded of it, and no further alert is sent whose delay is not
      over. Everybody who was alerted is sent your name, and that it came by the link of this alert.
    </p>`;
}

function nameOf({ check }: CheckRecord): string {
  return check.label || check.id;
}

function sentenceOf({ by, note }: Acknowledgement): string {
  return `Acknowledged by ${by}${note === "" ? "." : `: ${note}`}`;
}
