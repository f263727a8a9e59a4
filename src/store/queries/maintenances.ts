import type { Kysely, Selectable } from "kysely";

import type { Maintenance } from "../../domain/maintenance.ts";
import type { MaintenanceKey, MaintenanceReads, MaintenanceWrites } from "../maintenances.ts";
import { toFlag } from "./tables.ts";
import type { Database, MaintenanceTable } from "./tables.ts";
import { syncSpans } from "./spans.ts";

export function createMaintenances(db: Kysely<Database>): MaintenanceReads & MaintenanceWrites {
  const one = ({ accountId, id }: MaintenanceKey) =>
    db.selectFrom("maintenances").where("account_id", "=", accountId).where("id", "=", id);
  const chosen = (accountId: string, checkIds: readonly string[]) =>
    db
      .selectFrom("checks")
      .select(["no", "id"])
      .where("account_id", "=", accountId)
      .where("id", "in", checkIds);

  return {
    async find(accountId, id) {
      const row = await one({ accountId, id }).selectAll().executeTakeFirst();
      return row && fromRow(row);
    },
    async list(accountId) {
      const rows = await db
        .selectFrom("maintenances")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("seq")
        .execute();
      return rows.map(fromRow);
    },
    async listDue(now) {
      const rows = await db
        .selectFrom("maintenances")
        .select(["account_id", "id"])
        .where((eb) => eb(eb.fn.coalesce("ends_at", "next_at"), "<=", now))
        .orderBy((eb) => eb.fn.coalesce("ends_at", "next_at"))
        .execute();
      return rows.map(({ account_id, id }) => ({ accountId: account_id, id }));
    },
    async insert(maintenance) {
      await db.insertInto("maintenances").values(toRow(maintenance)).execute();
    },
    async update(maintenance) {
      const { account_id: accountId, id, ...changeable } = toRow(maintenance);
      await db
        .updateTable("maintenances")
        .set(changeable)
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("seq")
        .executeTakeFirstOrThrow();
    },
    async remove(accountId, id, at) {
      const removed = await db
        .deleteFrom("maintenances")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await syncSpans(db, { accountId }, { at, reason: "disabled" });
      return true;
    },
    async pauseChecks(key, checkIds, at) {
      if (checkIds.length === 0) return [];
      const { seq } = await one(key).select("seq").executeTakeFirstOrThrow();
      const held = await chosen(key.accountId, checkIds)
        .where("enabled", "=", 1)
        .where("disabled_with_all", "=", 0)
        .orderBy("no")
        .execute();
      if (held.length === 0) return [];
      await db
        .insertInto("holds")
        .values(held.map(({ no }) => ({ check_no: no, maintenance_seq: seq })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await syncSpans(db, { accountId: key.accountId }, { at, reason: "disabled" });
      return held.map(({ id }) => id);
    },
    async resumeChecks(key, checkIds, at) {
      if (checkIds.length === 0) return;
      await db
        .deleteFrom("holds")
        .where("maintenance_seq", "=", one(key).select("seq"))
        .where("check_no", "in", chosen(key.accountId, checkIds).clearSelect().select("no"))
        .execute();
      await syncSpans(db, { accountId: key.accountId }, { at, reason: "disabled" });
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
    nextAt: row.next_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    history: JSON.parse(row.history),
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  };
}
