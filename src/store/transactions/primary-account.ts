import { accountDefaults, type Account } from "../../domain/account/account.ts";
import type { CompatibilityMode } from "../../domain/account/token.ts";
import { addressDefaults, type Contact } from "../../domain/contact/contact.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Transaction } from "../store.ts";
import { createAccount, defaultNotificationsFor } from "./create-account.ts";

export interface NewPrimaryAccount {
  readonly name: string;
  /** Mail address of the owner, who is the first contact. */
  readonly ownerEmail: string | undefined;
  readonly timeZone: string;
  /** Undefined for an account without a token. */
  readonly token: string | undefined;
  /** The purpose of the token. */
  readonly label: string;
  readonly createdAt: number;
  /** Mode of the token. */
  readonly compatibility: CompatibilityMode;
}

/** Keeps a new primary account with its owner, its schedules, and its first token where there is one. */
export async function createPrimaryAccount(
  tx: Pick<Transaction, "accounts" | "contacts" | "schedules" | "tokens">,
  { name, ownerEmail, timeZone, token, label, createdAt, compatibility }: NewPrimaryAccount,
  ids: Pick<Ids, "account" | "contact" | "address">,
): Promise<Account> {
  const id = ids.account(createdAt);
  const owner: Contact = {
    id: ids.contact(id),
    accountId: id,
    name: "Owner",
    role: "owner",
    addresses:
      ownerEmail === undefined
        ? []
        : [{ ...addressDefaults, kind: "email", id: ids.address(), address: ownerEmail }],
  };
  const account: Account = {
    ...accountDefaults,
    id,
    parentId: undefined,
    name,
    createdAt,
    timeZone,
    defaultRegions: ["wlw"],
    defaultNotifications: defaultNotificationsFor(owner, compatibility),
  };
  await createAccount(tx, account, owner);
  if (token === undefined) return account;
  const digest = hashToken(token);
  await tx.tokens.insert({ digest, accountId: account.id, label, createdAt, compatibility });
  return account;
}
