import type { Kysely } from "kysely";

import { createChangeWrites } from "../changes.ts";
import { toFlag } from "../columns.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { syncSpans } from "./spans.ts";

/** Checks switched per transaction, which blocks others for about 6 ms. */
const CHECKS_A_UNIT = 100;

interface Switch {
  readonly accountId: string;
  readonly at: number;
  /** Undefined if the account's status has changed. */
  readonly disable?: boolean;
}

/**
 * Brings the checks of an account in line with its status, and disables or enables them all. The first are in this unit, and a row
 * remembers what is left; one that begins meanwhile goes through all of them again.
 */
export async function beginSwitch(
  db: Kysely<Database>,
  engine: Engine,
  { accountId, at, disable }: Switch,
): Promise<void> {
  const { newest } = await db
    .selectFrom("checks")
    .where("account_id", "=", accountId)
    .select((eb) => eb.fn.max<number | null>("no").as("newest"))
    .executeTakeFirstOrThrow();
  if (newest === null) return;
  await db
    .insertInto("account_switches")
    .values({
      account_id: accountId,
      at,
      after_no: 0,
      disable: disable === undefined ? null : toFlag(disable),
      disable_up_to: disable === undefined ? null : newest,
    })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((eb) => ({
        at: eb.ref("excluded.at"),
        after_no: 0,
        disable: eb.fn.coalesce("excluded.disable", "account_switches.disable"),
        disable_up_to: eb.fn.coalesce("excluded.disable_up_to", "account_switches.disable_up_to"),
      })),
    )
    .execute();
  await switchSome(db, engine, accountId);
}

/** Brings checks of an account in line with their maintenances: few at once, many as `beginSwitch` does. */
export async function switchChecks(
  db: Kysely<Database>,
  engine: Engine,
  { accountId, at, nos }: Omit<Switch, "disable"> & { readonly nos: readonly number[] },
): Promise<void> {
  if (nos.length <= CHECKS_A_UNIT) await syncSpans(db, engine, { nos, at });
  else await beginSwitch(db, engine, { accountId, at });
}

/** Switches some more checks of the account; whether there may be others left. */
async function switchSome(
  db: Kysely<Database>,
  engine: Engine,
  accountId: string,
): Promise<boolean> {
  const ofAccount = db.selectFrom("account_switches").where("account_id", "=", accountId);
  const left = await engine.lockRows(ofAccount.selectAll()).executeTakeFirst();
  if (left === undefined) return false;
  const { at, after_no: after, disable, disable_up_to } = left;
  const some = await db
    .selectFrom("checks")
    .select("no")
    .where("account_id", "=", accountId)
    .where("no", ">", after)
    .orderBy("no")
    .limit(CHECKS_A_UNIT)
    .execute();
  const upTo = some.at(-1)?.no ?? after;
  if (disable !== null) {
    await db
      .updateTable("checks")
      .set({ disabled_with_all: disable })
      .where("account_id", "=", accountId)
      .where("no", ">", after)
      .where("no", "<=", Math.min(upTo, disable_up_to ?? upTo))
      .where("disabled_with_all", "!=", disable)
      .where("enabled", ">=", disable)
      .execute();
  }
  await syncSpans(db, engine, { accountId, after, upTo, at });
  if (some.length === CHECKS_A_UNIT) {
    await db
      .updateTable("account_switches")
      .set({ after_no: upTo })
      .where("account_id", "=", accountId)
      .execute();
    return true;
  }
  await db.deleteFrom("account_switches").where("account_id", "=", accountId).execute();
  // The first transaction recorded a change for its own checks.
  if (after > 0) await createChangeWrites(db, { engine }).record({ accountId, checkNo: undefined });
  return false;
}

/** The checks of the account that disabling, or enabling again, would change. */
function switchable(db: Kysely<Database>, accountId: string, disable: boolean) {
  const ofAccount = db.selectFrom("checks").where("account_id", "=", accountId);
  return disable
    ? ofAccount.where("enabled", "=", 1).where("disabled_with_all", "=", 0)
    : ofAccount.where("disabled_with_all", "=", 1);
}

export function createSwitchReads(db: Kysely<Database>) {
  return {
    /** Lists accounts with an unfinished switch of all checks: all of them, or the given one. */
    async listSwitching(accountId?: string): Promise<readonly string[]> {
      let switching = db.selectFrom("account_switches").select("account_id");
      if (accountId !== undefined) switching = switching.where("account_id", "=", accountId);
      return (await switching.execute()).map(({ account_id }) => account_id);
    },
  };
}

export function createSwitchWrites(db: Kysely<Database>, engine: Engine) {
  return {
    /** Switches some of the checks that are left; whether there may be more. Records a change of the account with the last. */
    switchSome: (accountId: string): Promise<boolean> => switchSome(db, engine, accountId),
    /** Disables every enabled check of the account, or enables those disabled this way. Returns their number. Of many checks, some are left to `switchSome`. */
    async disableAll(accountId: string, disable: boolean, at: number): Promise<number> {
      const { count } = await switchable(db, accountId, disable)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      await beginSwitch(db, engine, { accountId, at, disable });
      return count;
    },
    /** The same for some of them, at most a hundred. */
    async disable(
      accountId: string,
      nos: readonly number[],
      { disable, at }: { readonly disable: boolean; readonly at: number },
    ): Promise<number> {
      if (nos.length === 0) return 0;
      const found = await switchable(db, accountId, disable)
        .select("no")
        .where("no", "in", nos)
        .execute();
      const switched = found.map(({ no }) => no);
      if (switched.length === 0) return 0;
      await db
        .updateTable("checks")
        .set({ disabled_with_all: toFlag(disable) })
        .where("no", "in", switched)
        .execute();
      await syncSpans(db, engine, { nos: switched, at });
      return switched.length;
    },
  };
}
