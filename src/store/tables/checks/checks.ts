import type { Kysely } from "kysely";

import type { Check } from "../../../domain/check.ts";
import { targetWithoutCredentials } from "../../../domain/target.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { ResultStorage } from "../../results.ts";
import { judgePostponed } from "../alerts/postponed.ts";
import { dropUnsent } from "../alerts/holds.ts";
import type { CheckRecord } from "../checks.ts";
import { createActiveReads } from "./active-checks.ts";
import { PAGE, pages, records } from "./check-records.ts";
import { recordFromRow, toRow } from "./check-row.ts";
import type { Engine } from "../engine.ts";
import { createDependencyReads } from "./dependencies.ts";
import { openFirstSpan, syncSpans } from "./spans.ts";
import { createStatusReads } from "./statuses.ts";
import { createSwitchReads, createSwitchWrites } from "./switches.ts";
import type { Database } from "../database.ts";

/** Reads of checks for the public. */
export function createPublicReads(db: Kysely<Database>, { sealer }: Deps) {
  const activeAccounts = db.selectFrom("accounts").select("id").where("status", "=", "active");
  // Built once: building a query costs as much as running it.
  const ofActiveAccounts = records(db).where("checks.account_id", "in", activeAccounts);
  return {
    /** Finds a check by its public `uuid`; undefined if it is not public or its account is not active. */
    async findPublic(uuid: string): Promise<CheckRecord | undefined> {
      const row = await ofActiveAccounts
        .where("checks.uuid", "=", uuid)
        // guard: public checks alone
        .where("checks.public", "=", 1)
        .executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
  };
}

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly latestResults: ResultStorage["latest"];
}

export function createCheckReads(db: Kysely<Database>, deps: Deps) {
  const { sealer } = deps;
  // Built once: building a query costs as much as running it.
  const allRecords = records(db);
  return {
    ...createActiveReads(db, deps),
    ...createDependencyReads(db),
    ...createStatusReads(db, deps),
    ...createPublicReads(db, deps),
    ...createSwitchReads(db),
    async find(accountId: string, id: string): Promise<CheckRecord | undefined> {
      const row = await allRecords
        .where("checks.account_id", "=", accountId)
        .where("checks.id", "=", id)
        .executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
    /** Finds a check in any account, for callers that authenticate with the check's own token. */
    async findById(id: string): Promise<CheckRecord | undefined> {
      const row = await allRecords.where("checks.id", "=", id).executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
    /** All checks of an account, oldest first, a page at a time. */
    async *list(accountId: string): AsyncIterable<readonly CheckRecord[]> {
      const ofAccount = allRecords.where("checks.account_id", "=", accountId).orderBy("checks.no");
      for await (const rows of pages(PAGE, (after, limit) =>
        ofAccount
          .where("checks.no", ">", after)
          .where("check_states.check_no", ">", after)
          .limit(limit)
          .execute(),
      )) {
        yield rows.map((row) => recordFromRow(row, sealer));
      }
    },
    /** Numbers of those of the ids that a check of the account has, in their order. */
    async findNumbers(
      accountId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom("checks")
        .select(["id", "no"])
        .where("account_id", "=", accountId)
        .where("id", "in", ids)
        .execute();
      const numbers = new Map(rows.map(({ id, no }) => [id, no]));
      return new Map(
        ids.flatMap((id) => {
          const no = numbers.get(id);
          return no === undefined ? [] : [[id, no] as const];
        }),
      );
    },
    /** Returns the IDs that no check of the account has. */
    async missingIds(accountId: string, ids: readonly string[]): Promise<readonly string[]> {
      const rows = await db
        .selectFrom("checks")
        .select("id")
        .where("account_id", "=", accountId)
        .where("id", "in", ids)
        .execute();
      const known = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !known.has(id));
    },
  };
}

export function createCheckWrites(db: Kysely<Database>, { engine, sealer }: Deps) {
  return {
    ...createSwitchWrites(db, engine),
    /** Assigns the check's number. An enabled check starts its first span of enabled time. */
    async insert(unnumbered: Omit<Check, "no">): Promise<Check> {
      const { no } = await db
        .insertInto("checks")
        .values(toRow(unnumbered, sealer))
        .returning("no")
        .executeTakeFirstOrThrow();
      const check = { ...unnumbered, no };
      await db
        .insertInto("check_states")
        .values({ check_no: no, state: null, down_since: null, outage: null, outage_since: null })
        .execute();
      await insertRevision(db, check, sealer);
      await openFirstSpan(db, no, check.createdAt);
      return check;
    },
    /**
     * Replaces what the store does not assign. A check that is no longer in maintenance is resumed. Switching on or off opens or
     * closes spans; switching off drops alerts that were not sent.
     */
    async update(check: Check, at: number): Promise<void> {
      const {
        id: _id,
        shard: _shard,
        account_id: _account,
        uuid: _uuid,
        queue: _queue,
        created_at: _created,
        ...changeable
      } = toRow(check, sealer);
      await db
        .updateTable("checks")
        .set(changeable)
        .where("account_id", "=", check.accountId)
        .where("no", "=", check.no)
        .returning("no")
        .executeTakeFirstOrThrow();
      if (!check.inMaintenance)
        await db.deleteFrom("maintenance_checks").where("check_no", "=", check.no).execute();
      const runRevision = await recordRevision(db, check, sealer);
      if (runRevision > check.runRevision)
        await db
          .updateTable("checks")
          .set({ run_revision: runRevision })
          .where("no", "=", check.no)
          .execute();
      await syncSpans(db, engine, { no: check.no, at });
      await judgePostponed(db, { accountId: check.accountId, checkNo: check.no });
    },
    async remove(accountId: string, id: string, at: number): Promise<boolean> {
      const removed = await db
        .deleteFrom("checks")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("no")
        .executeTakeFirst();
      if (removed === undefined) return false;
      await db.insertInto("removed_checks").values({ check_no: removed.no }).execute();
      await dropUnsent(db, { reason: "deleted", at }, (eb) => eb("check_no", "=", removed.no));
      return true;
    },
  };
}

/**
 * Stores what results repeat of a check, when it changed, and returns the revision of what runs. That is a new one where the row of
 * the check was changed in the database: what results repeat of its revision stays as it was.
 */
async function recordRevision(db: Kysely<Database>, check: Check, sealer: Sealer): Promise<number> {
  const newest = await db
    .selectFrom("check_revisions")
    .select(["revision", "type", "sealed_target", "timeout_seconds", "interval_minutes"])
    .where("check_no", "=", check.no)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  const isSame =
    newest?.type === check.type &&
    sealer.open(newest.sealed_target) === targetWithoutCredentials(check.parameters) &&
    newest.timeout_seconds === check.timeoutSeconds &&
    newest.interval_minutes === check.intervalMinutes;
  if (isSame) return check.runRevision;
  const runRevision = Math.max(check.runRevision, (newest?.revision ?? 0) + 1);
  await insertRevision(db, { ...check, runRevision }, sealer);
  return runRevision;
}

async function insertRevision(
  db: Kysely<Database>,
  { no, runRevision, type, parameters, timeoutSeconds, intervalMinutes }: Check,
  sealer: Sealer,
): Promise<void> {
  await db
    .insertInto("check_revisions")
    .values({
      check_no: no,
      revision: runRevision,
      sealed_target: sealer.seal(targetWithoutCredentials(parameters)),
      type,
      timeout_seconds: timeoutSeconds,
      interval_minutes: intervalMinutes,
    })
    .execute();
}
