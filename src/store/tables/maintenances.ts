import { sql, type Kysely, type Selectable, type Generated } from "kysely";

import type { Maintenance } from "../../domain/maintenance.ts";
import type { Engine } from "./engine.ts";
import { switchChecks } from "./checks/switches.ts";
import { toFlag, type NumericBoolean } from "./columns.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly maintenances: MaintenanceTable;
    readonly maintenance_checks: MaintenanceCheckTable;
  }
}

interface MaintenanceTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly duration_minutes: number;
  readonly check_ids: string;
  readonly enabled: NumericBoolean;
  readonly cron: string | null;
  readonly starts_at: number | null;
  readonly next_at: number | null;
  /** Null unless it is in progress. */
  readonly ends_at: number | null;
  readonly history: string;
  readonly changed_at: number;
  readonly changed_by: string;
}

interface MaintenanceCheckTable {
  readonly check_no: number;
  readonly maintenance_seq: number;
}

export type MaintenanceKey = Pick<Maintenance, "accountId" | "id">;

interface Deps {
  readonly engine: Engine;
}

export function createMaintenanceReads(db: Kysely<Database>, { engine }: Deps) {
  return {
    async find(accountId: string, id: string): Promise<Maintenance | undefined> {
      const row = await one(db, { accountId, id }).selectAll().executeTakeFirst();
      return row && fromRow(row);
    },
    /** Oldest first. */
    async list(accountId: string): Promise<readonly Maintenance[]> {
      const rows = await db
        .selectFrom("maintenances")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("seq")
        .execute();
      return rows.map(fromRow);
    },
    /** Lists maintenances of all accounts that are due to start or end, by the store's clock. */
    async listDue(): Promise<readonly MaintenanceKey[]> {
      const rows = await db
        .selectFrom("maintenances")
        .select(["account_id", "id"])
        .where(nextStepAt, "<=", engine.now())
        .orderBy(nextStepAt)
        .execute();
      return rows.map(({ account_id, id }) => ({ accountId: account_id, id }));
    },
  };
}

/** A check that a maintenance has paused does not run, whatever its own switches say, until the last that paused it resumes it. */
export function createMaintenanceWrites(db: Kysely<Database>, deps: Deps) {
  const rows = ownedRows(db, "maintenances");
  return {
    ...createPauses(db, deps),
    async insert(maintenance: Maintenance): Promise<void> {
      await db.insertInto("maintenances").values(toRow(maintenance)).execute();
    },
    update: (maintenance: Maintenance): Promise<void> => rows.update(toRow(maintenance)),
    /** Resumes what it has paused. */
    async remove(accountId: string, id: string, at: number): Promise<boolean> {
      const paused = await db
        .selectFrom("maintenance_checks")
        .where("maintenance_seq", "=", one(db, { accountId, id }).select("seq"))
        .select("check_no")
        .execute();
      if (!(await rows.remove(accountId, id))) return false;
      const nos = paused.map(({ check_no }) => check_no);
      await switchChecks(db, deps.engine, { accountId, at, nos });
      return true;
    },
    /** Claims a due maintenance until the transaction ends, with the store's time; undefined if it is not due or another transaction claimed it. */
    async claim(
      key: MaintenanceKey,
    ): Promise<{ readonly maintenance: Maintenance; readonly now: number } | undefined> {
      const row = await deps.engine
        .lockFreeRows(
          one(db, key)
            .selectAll()
            .select(deps.engine.now().as("now"))
            .where(nextStepAt, "<=", deps.engine.now()),
        )
        .executeTakeFirst();
      return row && { maintenance: fromRow(row), now: row.now };
    },
  };
}

/** An expression with an index. */
const nextStepAt = sql<number>`coalesce(ends_at, next_at)`;

function one(db: Kysely<Database>, { accountId, id }: MaintenanceKey) {
  return db.selectFrom("maintenances").where("account_id", "=", accountId).where("id", "=", id);
}

function createPauses(db: Kysely<Database>, { engine }: Deps) {
  const chosen = (accountId: string, checkIds: readonly string[]) =>
    db
      .selectFrom("checks")
      .select(["no", "id"])
      .where("account_id", "=", accountId)
      .where("id", "in", checkIds);
  return {
    /** Pauses the enabled ones among the checks, and returns their IDs. */
    async pauseChecks(
      key: MaintenanceKey,
      checkIds: readonly string[],
      at: number,
    ): Promise<readonly string[]> {
      if (checkIds.length === 0) return [];
      const { seq } = await one(db, key).select("seq").executeTakeFirstOrThrow();
      const paused = await chosen(key.accountId, checkIds)
        .where("enabled", "=", 1)
        .where("disabled_with_all", "=", 0)
        .orderBy("no")
        .execute();
      if (paused.length === 0) return [];
      await db
        .insertInto("maintenance_checks")
        .values(paused.map(({ no }) => ({ check_no: no, maintenance_seq: seq })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const nos = paused.map(({ no }) => no);
      await switchChecks(db, engine, { accountId: key.accountId, at, nos });
      return paused.map(({ id }) => id);
    },
    async resumeChecks(
      key: MaintenanceKey,
      checkIds: readonly string[],
      at: number,
    ): Promise<void> {
      if (checkIds.length === 0) return;
      const resumed = await db
        .deleteFrom("maintenance_checks")
        .where("maintenance_seq", "=", one(db, key).select("seq"))
        .where("check_no", "in", chosen(key.accountId, checkIds).clearSelect().select("no"))
        .returning("check_no")
        .execute();
      const nos = resumed.map(({ check_no }) => check_no);
      await switchChecks(db, engine, { accountId: key.accountId, at, nos });
    },
  };
}

function toRow(maintenance: Maintenance): Omit<Selectable<MaintenanceTable>, "seq"> {
  return {
    account_id: maintenance.accountId,
    id: maintenance.id,
    name: maintenance.name,
    duration_minutes: maintenance.durationMinutes,
    check_ids: JSON.stringify(maintenance.checkIds),
    enabled: toFlag(maintenance.enabled),
    cron: maintenance.cron ?? null,
    starts_at: maintenance.startsAt ?? null,
    next_at: maintenance.nextAt ?? null,
    ends_at: maintenance.endsAt ?? null,
    history: JSON.stringify(maintenance.history),
    changed_at: maintenance.changedAt,
    changed_by: maintenance.changedBy,
  };
}

function fromRow(row: Selectable<MaintenanceTable>): Maintenance {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    durationMinutes: row.duration_minutes,
    checkIds: JSON.parse(row.check_ids),
    enabled: row.enabled === 1,
    cron: row.cron ?? undefined,
    startsAt: row.starts_at ?? undefined,
    nextAt: row.next_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    history: JSON.parse(row.history),
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  };
}
