import { primaryIdOf, type Account } from "../domain/account/account.ts";
import type { Actor } from "../domain/account/actor.ts";
import { mailboxOf, type Contact } from "../domain/contact/contact.ts";
import { sentenceOf } from "../domain/contact/mail-limits.ts";
import type { Store, Transaction } from "../store/store.ts";
import { insertSignInLink } from "../store/transactions/mail-sign-in-link.ts";
import type { ApiDeps } from "./deps.ts";

type Deps = Pick<ApiDeps, "clock" | "ids" | "mailLimits" | "passwords">;

export interface NewContact {
  readonly account: Account;
  readonly contact: Contact;
  /** Creator of the contact; undefined if unknown. */
  readonly actor: Pick<Actor, "kind" | "name"> | undefined;
}

/**
 * Returns the transaction that mails a new contact how to sign in, for the one that creates it; undefined for a contact without a mail. A contact created in
 * the dashboard chooses its password by a link, and one created with a token is sent a password, as API clients expect. The transaction returns the reason if
 * no mail is sent.
 */
export async function welcomeOf(
  deps: Deps,
  { account, contact, actor }: NewContact,
): Promise<((tx: Transaction) => Promise<string | undefined>) | undefined> {
  const { passwords } = deps;
  const mailbox = mailboxOf(contact);
  const { role } = contact;
  if (!passwords.canSendMail || mailbox === undefined || role === "notify") return undefined;
  if (actor?.kind === "session") return invitationBy(deps, { account, contact, by: actor.name });
  if (role === "owner") return undefined;
  return passwords.issue(contact, "welcome", primaryIdOf(account));
}

function invitationBy(
  { clock, ids, mailLimits: limits }: Deps,
  { account, contact, by }: Pick<NewContact, "account" | "contact"> & { readonly by: string },
): (tx: Transaction) => Promise<string | undefined> {
  return async (tx) => {
    const end = await insertSignInLink(tx, {
      id: ids.uuid(),
      secret: ids.token(),
      account,
      contact,
      at: clock.now(),
      limits,
      invitation: { name: contact.name, by },
    });
    if (end === "mailed" || end === "no mailbox") return undefined;
    return end === "not confirmed"
      ? `no invitation was mailed: ${mailboxOf(contact)} gets it once it is confirmed`
      : `no invitation was mailed: ${sentenceOf(end, limits)}`;
  };
}

/** Mails a contact how to sign in that was mailed nothing while its mailbox was not confirmed. */
export async function sendLateWelcome(
  deps: Deps & { readonly store: Pick<Store, "accounts" | "audit" | "contacts" | "write"> },
  { accountId, contactId }: { readonly accountId: string; readonly contactId: string },
): Promise<void> {
  const { store } = deps;
  const contact = await store.contacts.find(accountId, contactId);
  const account = await store.accounts.find(accountId);
  if (contact === undefined || account === undefined) return;
  if ((await store.contacts.passwordSetAt(accountId, contactId)) !== undefined) return;
  const actor = await creatorOf(store, { account, contactId });
  const welcome = await welcomeOf(deps, { account, contact, actor });
  if (welcome !== undefined) await store.write(welcome);
}

/** The audit log says it: of the first contact of a subaccount the log of the account above. */
async function creatorOf(
  { audit }: Pick<Store, "audit">,
  { account, contactId }: { readonly account: Account; readonly contactId: string },
): Promise<Actor | undefined> {
  const { id, parentId } = account;
  const creations = [
    { accountId: id, resource: "contacts", recordId: contactId },
    ...(parentId === undefined
      ? []
      : [{ accountId: parentId, resource: "accounts", recordId: id }]),
  ];
  for (const { resource, ...of } of creations) {
    const wanted = { ...of, resource, before: undefined, limit: MAX_ENTRIES };
    const entries = await audit.list(wanted);
    const creation = entries.find(({ operation }) => operation === `POST ${resource}`);
    if (creation !== undefined) return creation.actor;
  }
  return undefined;
}

/** Maximum entries of one record; its creation is the oldest. */
const MAX_ENTRIES = 1000;
