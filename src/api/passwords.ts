import { mailboxOf } from "../domain/contact.ts";
import type { Contact } from "../domain/contact.ts";
import type { PasswordMail } from "../domain/system-mail.ts";
import type { Clock } from "../kit/clock.ts";
import { InvalidInput, NotFound, TooManyRequests, Unavailable } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import { hashPassword, generatePassword } from "../kit/crypto/password.ts";
import type { ContactReads } from "../store/contacts.ts";
import type { Store, Transaction } from "../store/store.ts";

export interface Passwords {
  /** Whether there is a mail server that takes letters. */
  readonly canSendMail: boolean;
  /**
   * Makes a password and gives the unit that keeps it, for the caller's transaction: its hash and the letter that tells it, never
   * one without the other. Throws InvalidInput where the contact has no mailbox, Unavailable where there is no mail server, and
   * TooMany soon after the password before.
   */
  readonly issue: (
    contact: Contact,
    why: PasswordMail["kind"],
  ) => Promise<(tx: Transaction) => Promise<void>>;
}

export interface PasswordDeps {
  readonly store: Pick<Store, "contacts">;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  readonly canSendMail: boolean;
}

/** Between two resets of one contact: whoever holds a token cannot flood a mailbox by it. */
const REST_MS = 60_000;

export function createPasswords({ store, clock, ids, canSendMail }: PasswordDeps): Passwords {
  let turn: Promise<unknown> = Promise.resolve();
  /** One at a time, for each takes 128 MiB and one of the few threads that the store syncs with. */
  const hashInTurn = (password: string): Promise<string> => {
    const hashed = turn.then(() => hashPassword(password));
    turn = hashed.catch(() => {});
    return hashed;
  };
  const assertRested = async (contacts: ContactReads, contact: Contact): Promise<void> => {
    const before = (await contacts.passwordSetAt(contact.accountId, contact.id)) ?? -Infinity;
    const sinceMs = clock.now() - before;
    // One from the future is of a clock that was set back.
    if (sinceMs >= 0 && sinceMs < REST_MS)
      throw new TooManyRequests(
        "id: the contact was sent a password less than a minute ago",
        Math.ceil((REST_MS - sinceMs) / 1000),
      );
  };

  return {
    canSendMail,
    async issue(contact, why) {
      const { id: contactId, accountId, name } = contact;
      const to = mailboxOf(contact);
      if (to === undefined)
        throw new InvalidInput("id: the contact has no email address to send a password to");
      if (!canSendMail) throw new Unavailable("no mail server is set: WATCHPOST_SMTP_URL");
      await assertRested(store.contacts, contact);
      const password = generatePassword();
      const hash = await hashInTurn(password);
      return async ({ contacts, systemMails }) => {
        await assertRested(contacts, contact);
        const createdAt = clock.now();
        // A client that makes a contact may ask for a password of its own at once.
        const at = why === "welcome" ? createdAt - REST_MS : createdAt;
        if (!(await contacts.setPassword({ accountId, contactId, hash, at })))
          throw new NotFound("Unable to find that contact");
        await systemMails.insert({
          id: ids.uuid(),
          accountId,
          contactId,
          kind: why,
          name,
          to,
          password,
          createdAt,
        });
      };
    },
  };
}
