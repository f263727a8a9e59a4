import type { Kysely, Selectable } from "kysely";

import type {
  ContactRef,
  Totp,
  SecondFactors,
  PendingSignIn,
  Passkey,
} from "../../domain/account/second-factor.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly totp_factors: TotpFactorTable;
    readonly passkeys: PasskeyTable;
    readonly recovery_codes: RecoveryCodeTable;
    readonly pending_sign_ins: PendingSignInTable;
  }
}

interface TotpFactorTable {
  readonly contact_id: string;
  readonly account_id: string;
  /** The secret. */
  readonly sealed: Uint8Array;
  readonly created_at: number;
  /** Null until a code has confirmed it. */
  readonly confirmed_at: number | null;
  readonly last_step: number;
  readonly failures: number;
  readonly failed_at: number;
}

interface PasskeyTable {
  readonly id: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly label: string;
  readonly public_key: Uint8Array;
  readonly counter: number;
  /** JSON. */
  readonly transports: string;
  readonly created_at: number;
  readonly used_at: number | null;
}

interface RecoveryCodeTable {
  readonly contact_id: string;
  readonly digest: string;
  readonly account_id: string;
}

interface PendingSignInTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly ends_at: number;
}

export function createPasskeyWrites(db: Kysely<Database>) {
  return {
    async insertPasskey({
      id,
      accountId,
      contactId,
      label,
      publicKey,
      ...rest
    }: Passkey): Promise<void> {
      const { counter, transports, createdAt, usedAt } = rest;
      await db
        .insertInto("passkeys")
        .values({
          id,
          account_id: accountId,
          contact_id: contactId,
          label,
          public_key: publicKey,
          counter,
          transports: JSON.stringify(transports),
          created_at: createdAt,
          used_at: usedAt ?? null,
        })
        .execute();
    },
    /** Records a passkey signature; false if there is no such passkey or the count was already used, which means the key was copied. */
    async takePasskey({
      accountId,
      contactId,
      id,
      counter,
      at,
    }: ContactRef & Pick<Passkey, "id" | "counter"> & { readonly at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("passkeys")
        .set({ counter, used_at: at })
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .where("id", "=", id)
        // An authenticator that does not count always sends 0.
        .$if(counter === 0, (query) => query.where("counter", "=", 0))
        .$if(counter > 0, (query) => query.where("counter", "<", counter))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** True if it existed. */
    async removePasskey({ accountId, contactId }: ContactRef, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("passkeys")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export function passkeyFromRow(row: Selectable<PasskeyTable>): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    contactId: row.contact_id,
    label: row.label,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    transports: JSON.parse(row.transports),
    createdAt: row.created_at,
    usedAt: row.used_at ?? undefined,
  };
}

interface Deps {
  readonly sealer: Sealer;
}

export function createSecondFactorReads(db: Kysely<Database>, { sealer }: Deps) {
  return {
    /** Also one that no code has confirmed. */
    async findTotp(of: ContactRef): Promise<Totp | undefined> {
      const row = await db
        .selectFrom("totp_factors")
        .selectAll()
        .where("account_id", "=", of.accountId)
        .where("contact_id", "=", of.contactId)
        .executeTakeFirst();
      return (
        row && {
          accountId: row.account_id,
          contactId: row.contact_id,
          secret: sealer.open(row.sealed, contextOf(of)),
          createdAt: row.created_at,
          confirmedAt: row.confirmed_at ?? undefined,
          lastStep: row.last_step,
          failures: row.failures,
          failedAt: row.failed_at,
        }
      );
    },
    async of({ accountId, contactId }: ContactRef): Promise<SecondFactors> {
      const totp = await db
        .selectFrom("totp_factors")
        .select("confirmed_at")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .executeTakeFirst();
      const codes = await db
        .selectFrom("recovery_codes")
        .select("digest")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .execute();
      const passkeys = await db
        .selectFrom("passkeys")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return {
        totpSince: totp?.confirmed_at ?? undefined,
        passkeys: passkeys.map(passkeyFromRow),
        recoveryCodes: codes.length,
      };
    },
    /** Also one that has ended. */
    async findPending(digest: string): Promise<PendingSignIn | undefined> {
      const row = await db
        .selectFrom("pending_sign_ins")
        .selectAll()
        .where("digest", "=", digest)
        .executeTakeFirst();
      return (
        row && {
          digest,
          accountId: row.account_id,
          contactId: row.contact_id,
          endsAt: row.ends_at,
        }
      );
    },
  };
}

export function createSecondFactorWrites(db: Kysely<Database>, deps: Deps) {
  return {
    ...createTotpWrites(db, deps),
    ...createPasskeyWrites(db),
    ...createRecoveryCodeWrites(db),
    ...createPendingWrites(db),
  };
}

function createTotpWrites(db: Kysely<Database>, { sealer }: Deps) {
  return {
    /** It replaces an earlier one of the contact. */
    async putTotp(totp: Totp): Promise<void> {
      const { accountId, contactId, secret, createdAt, confirmedAt } = totp;
      await db.deleteFrom("totp_factors").where("contact_id", "=", contactId).execute();
      await db
        .insertInto("totp_factors")
        .values({
          contact_id: contactId,
          account_id: accountId,
          // guard: keys of authenticator apps = Buffer.from(argument)
          sealed: sealer.seal(secret, contextOf(totp)),
          created_at: createdAt,
          confirmed_at: confirmedAt ?? null,
          last_step: totp.lastStep,
          failures: totp.failures,
          failed_at: totp.failedAt,
        })
        .execute();
    },
    /** Uses the code of a time step, which also confirms a pending app. False if a code of that step or a later one was used. */
    async takeTotpStep({
      accountId,
      contactId,
      step,
      at,
    }: ContactRef & { readonly step: number; readonly at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("totp_factors")
        .set((eb) => ({
          last_step: step,
          failures: 0,
          confirmed_at: eb.fn.coalesce("confirmed_at", eb.val(at)),
        }))
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        // guard: codes of an app count once
        .where("last_step", "<", step)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async noteWrongCode({
      accountId,
      contactId,
      at,
    }: ContactRef & { readonly at: number }): Promise<void> {
      await db
        .updateTable("totp_factors")
        .set((eb) => ({ failures: eb("failures", "+", 1), failed_at: at }))
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .execute();
    },
    async removeTotp({ accountId, contactId }: ContactRef): Promise<void> {
      await db
        .deleteFrom("totp_factors")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .execute();
    },
  };
}

function createRecoveryCodeWrites(db: Kysely<Database>) {
  return {
    /** Removes all second factors of the contact. */
    async removeAll({ accountId, contactId }: ContactRef): Promise<void> {
      for (const table of ["totp_factors", "passkeys", "recovery_codes"] as const)
        await db
          .deleteFrom(table)
          .where("account_id", "=", accountId)
          .where("contact_id", "=", contactId)
          .execute();
    },
    async replaceRecoveryCodes(
      { accountId, contactId }: ContactRef,
      digests: readonly string[],
    ): Promise<void> {
      await db.deleteFrom("recovery_codes").where("contact_id", "=", contactId).execute();
      for (const digest of digests)
        await db
          .insertInto("recovery_codes")
          .values({ contact_id: contactId, account_id: accountId, digest })
          .execute();
    },
    /** True if it existed: each code is used once. */
    async takeRecoveryCode({ accountId, contactId }: ContactRef, digest: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("recovery_codes")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .where("digest", "=", digest)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function createPendingWrites(db: Kysely<Database>) {
  return {
    /** Inserts a pending sign-in, and removes expired ones and the oldest above the limit. */
    async insertPending(
      { digest, accountId, contactId, endsAt }: PendingSignIn,
      { most, now }: { readonly most: number; readonly now: number },
    ): Promise<void> {
      await db
        .insertInto("pending_sign_ins")
        .values({ digest, account_id: accountId, contact_id: contactId, ends_at: endsAt })
        .execute();
      const newest = db
        .selectFrom("pending_sign_ins")
        .select("digest")
        .where("contact_id", "=", contactId)
        .orderBy("ends_at", "desc")
        .orderBy("digest")
        .limit(most);
      await db
        .deleteFrom("pending_sign_ins")
        .where("contact_id", "=", contactId)
        .where((eb) => eb.or([eb("ends_at", "<=", now), eb("digest", "not in", newest)]))
        .execute();
    },
    /** True if it existed: only one of two concurrent requests signs in. */
    async removePending(digest: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("pending_sign_ins")
        .where("digest", "=", digest)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** Binds the encrypted secret to its contact. */
function contextOf({ contactId }: Pick<ContactRef, "contactId">): string {
  return `totp ${contactId}`;
}
