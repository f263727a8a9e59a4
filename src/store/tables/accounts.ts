import type { Kysely, Selectable } from "kysely";

import type { Account, AccountStatus } from "../../domain/account/account.ts";
import type { Token } from "../../domain/account/token.ts";
import { toFlag, type NumericBoolean } from "./columns.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";
import { judgePostponed } from "./alerts/postponed.ts";
import { beginSwitch } from "./checks/switches.ts";

declare module "./database.ts" {
  interface Database {
    readonly accounts: AccountTable;
    readonly account_switches: AccountSwitchTable;
  }
}

/** Remaining work of switching all checks of an account. */
interface AccountSwitchTable {
  readonly account_id: string;
  readonly at: number;
  /** Checks up to this number are switched. */
  readonly after_no: number;
  /** Whether checks are disabled or enabled; null if only the account's status has changed. */
  readonly disable: NumericBoolean | null;
  /** The newest check that this is about. */
  readonly disable_up_to: number | null;
}

interface AccountTable {
  readonly id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly status: AccountStatus;
  readonly created_at: number;
  readonly time_zone: string;
  readonly default_regions: string;
  readonly wants_news: NumericBoolean;
  readonly suppress_all: NumericBoolean | null;
  readonly auto_diagnostics: NumericBoolean;
  readonly recheck_wait: number;
  readonly default_notifications: string;
  readonly branding: string | null;
  readonly calendar_key: string | null;
}

export interface AccountSummary {
  readonly account: Account;
  readonly activeChecks: number;
}

/** The token that was sent, and whose it is. */
export interface TokenCaller {
  readonly account: Account;
  readonly token: Pick<Token, "digest" | "label" | "compatibility" | "access" | "expiresAt">;
}

export function createAccountReads(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<Account | undefined> {
      const row = await db
        .selectFrom("accounts")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row && accountFromRow(row);
    },
    /** Lists the account and its subaccounts, the account first, the others by age, without deleted ones. */
    async listWithSubaccounts(id: string): Promise<readonly AccountSummary[]> {
      const rows = await db
        .selectFrom("accounts")
        .selectAll()
        .select((eb) =>
          eb
            .selectFrom("checks")
            .innerJoin("spans", "spans.check_no", "checks.no")
            .whereRef("checks.account_id", "=", "accounts.id")
            .where("spans.kind", "=", "enabled")
            .where("spans.end_at", "is", null)
            .select((count) => count.fn.countAll<number>().as("count"))
            .as("active_checks"),
        )
        .where((eb) => eb.or([eb("id", "=", id), eb("parent_id", "=", id)]))
        .where("status", "!=", "deleted")
        .orderBy((eb) => eb.case().when("id", "=", id).then(0).else(1).end())
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({
        account: accountFromRow(row),
        activeChecks: row.active_checks ?? 0,
      }));
    },
    /** Passkeys, oldest first. */
    async listPrimary(): Promise<readonly Account[]> {
      const rows = await db
        .selectFrom("accounts")
        .selectAll()
        .where("parent_id", "is", null)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(accountFromRow);
    },
    /** Whether any account exists: false only before the very first start. */
    hasAny: (): Promise<boolean> => hasAny(db),
    /** The account a token digest belongs to; also of a token whose end has come. */
    async findByToken(digest: string): Promise<TokenCaller | undefined> {
      const row = await db
        .selectFrom("tokens")
        .innerJoin("accounts", "accounts.id", "tokens.account_id")
        .selectAll("accounts")
        .select(["tokens.label", "tokens.compatibility", "tokens.access", "tokens.expires_at"])
        .where("tokens.digest", "=", digest)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { label, compatibility, access, expires_at } = row;
      const token = { digest, label, compatibility, access, expiresAt: expires_at ?? undefined };
      return { account: accountFromRow(row), token };
    },
  };
}

export function createAccountWrites(db: Kysely<Database>, { engine }: { readonly engine: Engine }) {
  return {
    /** Whether no account exists yet; a second unit that asks waits for the end of the first. */
    async mayMakeFirst(): Promise<boolean> {
      // Locks the row until the end of the unit.
      await db
        .insertInto("meta")
        .values({ key: "first_account", value: "1" })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: "1" }))
        .execute();
      return !(await hasAny(db));
    },
    async insert(account: Account): Promise<void> {
      await db.insertInto("accounts").values(toRow(account)).execute();
    },
    /** A changed status switches all checks of the account off or on; of many, some are left to `checks.switchSome`. */
    async update(account: Account, at: number): Promise<void> {
      const { id, parent_id: _parent, created_at: _created, ...changeable } = toRow(account);
      const known = await engine
        .lockRows(db.selectFrom("accounts").select("status").where("id", "=", id))
        .executeTakeFirstOrThrow();
      await db.updateTable("accounts").set(changeable).where("id", "=", id).execute();
      if (known.status !== account.status) await beginSwitch(db, engine, { accountId: id, at });
      await judgePostponed(db, { accountId: id });
    },
    /** Closes a subaccount at once, with its checks as `update` does. Its records are purged in the background, its own last. */
    async remove(id: string, at: number): Promise<void> {
      await db
        .updateTable("accounts")
        .set({ status: "deleted" })
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
      await beginSwitch(db, engine, { accountId: id, at });
      for (const table of ["tokens", "sessions"] as const)
        await db.deleteFrom(table).where("account_id", "=", id).execute();
    },
  };
}

async function hasAny(db: Kysely<Database>): Promise<boolean> {
  const any = await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  return any !== undefined;
}

function toRow(account: Account): Selectable<AccountTable> {
  return {
    id: account.id,
    parent_id: account.parentId ?? null,
    name: account.name,
    status: account.status,
    created_at: account.createdAt,
    time_zone: account.timeZone,
    default_regions: JSON.stringify(account.defaultRegions),
    wants_news: toFlag(account.wantsNews),
    suppress_all: account.suppressAll === undefined ? null : toFlag(account.suppressAll),
    auto_diagnostics: toFlag(account.autoDiagnostics),
    recheck_wait: account.recheckWait,
    default_notifications: JSON.stringify(account.defaultNotifications),
    branding: account.branding === undefined ? null : JSON.stringify(account.branding),
    calendar_key: account.calendarKey ?? null,
  };
}

export function accountFromRow(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    parentId: row.parent_id ?? undefined,
    name: row.name,
    status: row.status,
    createdAt: row.created_at,
    timeZone: row.time_zone,
    defaultRegions: JSON.parse(row.default_regions),
    wantsNews: row.wants_news === 1,
    suppressAll: row.suppress_all === null ? undefined : row.suppress_all === 1,
    autoDiagnostics: row.auto_diagnostics === 1,
    recheckWait: row.recheck_wait,
    defaultNotifications: JSON.parse(row.default_notifications),
    branding: row.branding === null ? undefined : JSON.parse(row.branding),
    calendarKey: row.calendar_key ?? undefined,
  };
}
