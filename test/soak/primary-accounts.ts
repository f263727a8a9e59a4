import { createFirstAccount } from "../../src/server/first-account.ts";
import { loadInstanceKey } from "../../src/server/instance-key.ts";
import { accountDefaults } from "../../src/domain/account/account.ts";
import { addressDefaults, type Contact } from "../../src/domain/contact/contact.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { hashPassword } from "../../src/kit/crypto/password.ts";
import { createSealer, hashToken } from "../../src/kit/crypto/seal.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createAccount } from "../../src/store/transactions/create-account.ts";

/** An account that has a share of its own of what is scarce, with its tokens. */
export interface PrimaryAccount {
  readonly id: string;
  readonly tokens: readonly string[];
  /** Its owner, who signs in. */
  readonly person: Person;
  /** A contact that only reads. */
  readonly viewer: Person;
}

export interface Person {
  readonly mailbox: string;
  readonly password: string;
}

/** Creates additional primary accounts in a new data folder: subaccounts share one budget, and the program itself creates only one account with its own. */
export async function makePrimaryAccounts(
  directory: string,
  wanted: readonly { readonly name: string; readonly tokens: number }[],
): Promise<readonly PrimaryAccount[]> {
  const key = loadInstanceKey({
    WATCHPOST_DATA: directory,
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_DATABASE_URL: undefined,
  });
  const sealer = createSealer(key);
  const clock = systemClock;
  const ids = createIds();
  const store = await openSqliteStore({ directory, clock, sealer, log: silentLog });
  const first = {
    token: undefined,
    ownerEmail: "owner@example.net",
    timeZone: "+00:00",
    compatibility: "standard",
  } as const;
  await createFirstAccount(store, first, { ids, clock });
  const made = wanted.map(async ({ name, tokens }): Promise<PrimaryAccount> => {
    const createdAt = clock.now();
    const id = ids.account(createdAt);
    const given = Array.from({ length: tokens }, () => ids.token());
    const password = `password of ${name}`;
    const person = { mailbox: `${id}@example.net`, password };
    const viewer = { mailbox: `viewer-${id}@example.net`, password };
    const contactOf = (role: Contact["role"], { mailbox: address }: Person): Contact => ({
      id: ids.contact(id),
      accountId: id,
      name,
      role,
      addresses: [
        { ...addressDefaults, id: ids.address(), kind: "email", confirmed: true, address },
      ],
    });
    const account = {
      ...accountDefaults,
      id,
      parentId: undefined,
      name,
      createdAt,
      timeZone: "+00:00",
      compatibility: "standard",
      defaultRegions: ["wlw"],
    };
    const owner = contactOf("owner", person);
    const reading = contactOf("view", viewer);
    const hash = hashPassword(password);
    await store.write(async (tx) => {
      await createAccount(tx, account, owner);
      await tx.contacts.insert(reading);
      for (const { id: contactId } of [owner, reading])
        await tx.contacts.setPassword({ accountId: id, contactId, hash, at: createdAt });
      for (const token of given)
        await tx.tokens.insert({
          digest: hashToken(token),
          accountId: id,
          label: name,
          createdAt,
          compatibility: "standard",
        });
    });
    return { id, tokens: given, person, viewer };
  });
  const accounts = await Promise.all(made);
  await store.close();
  return accounts;
}
