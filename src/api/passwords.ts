import { isMailbox, mailboxOf, type Contact } from "../domain/contact/contact.ts";
import type { PasswordMail } from "../domain/system-mail.ts";
import type { Clock } from "../kit/clock.ts";
import { InvalidInput, NotFound, TooManyRequests, Unavailable } from "../kit/errors.ts";
import { accountAsker } from "../kit/concurrency/askers.ts";
import { createCostlyWork, type Asker } from "../kit/concurrency/costly-work.ts";
import type { Ids } from "../kit/ids.ts";
import { generatePassword, NO_PASSWORD } from "../kit/crypto/password.ts";
import { hashInThread, PASSWORD_THREADS, verifyInThread } from "../kit/crypto/password-threads.ts";
import { sentenceOf, type MailLimits, type SpentBudget } from "../domain/contact/mail-limits.ts";
import type { Reads, Store, Transaction } from "../store/store.ts";

export interface Passwords {
  /** Returns the stored form of a password that a person chose. Throws Unavailable where too many ask at once. */
  readonly hash: (plain: string, asker: Asker) => Promise<string>;
  /** Returns whether it is the password; undefined, for a contact that does not exist, costs as much and is false. Throws Unavailable where too many ask at once. */
  readonly verify: (plain: string, stored: string | undefined, asker: Asker) => Promise<boolean>;
  /** Whether a mail server is configured. */
  readonly canSendMail: boolean;
  /**
   * Makes a password and returns the unit that stores its hash and the mail that contains it, for the caller's transaction: never
   * one without the other. Throws InvalidInput where the contact has no mailbox, Unavailable where there is no mail server, and
   * TooManyRequests soon after the previous password, or where the mailbox or the account had too many mails. A welcome is left
   * out then: the unit says why.
   */
  readonly issue: (
    contact: Contact,
    why: PasswordMail["kind"],
    /** The primary account that asks for it: these take turns. */
    primaryId: string,
  ) => Promise<(tx: Transaction) => Promise<string | undefined>>;
}

export interface PasswordDeps {
  readonly store: Pick<Store, "contacts" | "mailBudget">;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  readonly canSendMail: boolean;
  readonly mailLimits: MailLimits;
}

/** The least time between two resets for one contact, so that a token cannot be used to flood a mailbox. */
const MIN_RESET_INTERVAL_MS = 60_000;

/** A waiting request keeps its body in memory, but no memory for hashing. */
const HASHING = {
  most: PASSWORD_THREADS,
  maxOfStrangers: PASSWORD_THREADS - 1,
  maxWaiting: 64,
  maxWaitMs: 10_000,
  refusal: "too many passwords are being verified now: try again in a few seconds",
};

export function createPasswords({
  store,
  clock,
  ids,
  canSendMail,
  mailLimits,
}: PasswordDeps): Passwords {
  const hashing = createCostlyWork(clock, HASHING);
  const assertNotTooSoon = async (contacts: Reads["contacts"], contact: Contact): Promise<void> => {
    const before = (await contacts.passwordSetAt(contact.accountId, contact.id)) ?? -Infinity;
    const sinceMs = clock.now() - before;
    // A time in the future was recorded before the clock was set back.
    /* guard: time between passwords */ if (sinceMs >= 0 && sinceMs < MIN_RESET_INTERVAL_MS)
      throw new TooManyRequests(
        "id: the contact was sent a password less than a minute ago",
        Math.ceil((MIN_RESET_INTERVAL_MS - sinceMs) / 1000),
      );
  };

  /** A contact is created without its welcome; a requested password is refused. */
  const unsent = (why: PasswordMail["kind"], spent: SpentBudget): string => {
    const sentence = sentenceOf(spent, mailLimits);
    if (why === "welcome") return `no welcome was mailed: ${sentence}`;
    throw new TooManyRequests(`id: ${sentence}`, Math.ceil(spent.forMs / 1000));
  };

  const issue: Passwords["issue"] = async (contact, why, primaryId) => {
    const { id: contactId, accountId, name } = contact;
    const to = mailboxOf(contact);
    if (to === undefined)
      throw new InvalidInput("id: the contact has no email address to send a password to");
    if (!canSendMail) throw new Unavailable("no mail server is set: WATCHPOST_SMTP_URL");
    if (!(await isConfirmed(store.contacts, contact))) {
      if (why === "welcome")
        return async () => `no welcome was mailed: ${to} gets it once it is confirmed`;
      throw new InvalidInput(
        `id: ${to} is not confirmed yet; a test of the contact mails the link for that again`,
      );
    }
    await assertNotTooSoon(store.contacts, contact);
    const mail = () => ({ mailbox: to, accountId, at: clock.now(), limits: mailLimits });
    const spentBefore = await store.mailBudget.spent(mail());
    if (spentBefore !== undefined) return async () => unsent(why, spentBefore);
    const password = generatePassword();
    // guard: password hashing = await hashing.run(accountAsker(""), () => hashInThread(password))
    const hash = await hashing.run(accountAsker(primaryId), () => hashInThread(password));
    return async ({ contacts, systemMails, mailBudget }) => {
      await assertNotTooSoon(contacts, contact);
      const spent = await mailBudget.take(mail());
      if (spent !== undefined) return unsent(why, spent);
      const createdAt = clock.now();
      // A client may request a password right after it created the contact.
      const at = why === "welcome" ? createdAt - MIN_RESET_INTERVAL_MS : createdAt;
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
      return undefined;
    };
  };

  return {
    canSendMail,
    issue,
    hash: (plain, asker) => hashing.run(asker, () => hashInThread(plain)),
    verify: (plain, stored, asker) =>
      hashing.run(asker, async () => {
        const isRight = await verifyInThread(plain, stored ?? NO_PASSWORD);
        return isRight && stored !== undefined;
      }),
  };
}

async function isConfirmed(
  contacts: Reads["contacts"],
  { accountId, addresses }: Contact,
): Promise<boolean> {
  const address = addresses.find(isMailbox);
  // guard: passwords to confirmed mailboxes = then
  if (address === undefined || address.confirmed) return true;
  return contacts.isConfirmed(accountId, address.address);
}
