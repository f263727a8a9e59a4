import type { Account } from "../domain/account/account.ts";
import { isMailbox, type Address, type Contact } from "../domain/contact/contact.ts";
import { sentenceOf, type MailLimits } from "../domain/contact/mail-limits.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import type { Transaction } from "../store/store.ts";
import { requestConfirmation } from "../store/transactions/request-confirmation.ts";

/** Confirmation of mailboxes before anything else is sent to them. */
export interface Confirmations {
  readonly required: boolean;
  /** Whether messages go to a new address at once. */
  readonly isConfirmed: (address: Pick<Address, "kind">) => boolean;
  /** Mails a request to each new unconfirmed mailbox of the stored contact. Returns the message for the caller, empty if nothing was to be done. */
  readonly request: (tx: Transaction, written: WrittenContact) => Promise<string>;
}

interface WrittenContact {
  readonly account: Pick<Account, "id" | "name">;
  readonly contact: Contact;
  /** Its addresses before it was written. */
  readonly before: readonly Address[];
}

interface Deps {
  readonly required: boolean;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  readonly mailLimits: MailLimits;
}

export function createConfirmations({
  required,
  clock,
  ids,
  mailLimits: limits,
}: Deps): Confirmations {
  return {
    required,
    isConfirmed: (address) => !required || !isMailbox(address),
    async request(tx, { account, contact, before }) {
      const asked: string[] = [];
      const unasked: string[] = [];
      for (const address of newlyUnconfirmed(contact, before)) {
        const spent = await requestConfirmation(tx, {
          id: ids.uuid(),
          account,
          contactId: contact.id,
          address,
          callerId: account.id,
          at: clock.now(),
          limits,
        });
        if (spent === undefined) asked.push(address.address);
        else unasked.push(`${address.address} was not asked to: ${sentenceOf(spent, limits)}`);
      }
      return [
        asked.length === 0
          ? []
          : `no alerts go to ${asked.join(", ")} until confirmed by the link that was mailed there`,
        ...unasked.map((one) => `no alerts go to ${one}; a test of the contact asks again`),
      ]
        .flat()
        .join("; ");
    },
  };
}

/** One of each mailbox, in one order, in which units that take mails to several of them wait for each other. */
function newlyUnconfirmed({ addresses }: Contact, before: readonly Address[]): readonly Address[] {
  const wasThere = ({ id, address }: Address): boolean =>
    before.some((known) => known.id === id && known.address === address);
  const mailboxes = new Map<string, Address>();
  for (const address of addresses) {
    const mailbox = address.address.toLowerCase();
    if (!address.confirmed && !wasThere(address) && !mailboxes.has(mailbox))
      mailboxes.set(mailbox, address);
  }
  return [...mailboxes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, address]) => address);
}
