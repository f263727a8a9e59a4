import type { Kysely, Selectable } from "kysely";

import type { Schedule } from "../../domain/schedule.ts";
import type { ScheduleReads, ScheduleWrites } from "../schedules.ts";
import { judgePostponed } from "./alerts/postponed.ts";
import type { ScheduleTable } from "./contacts/contact-tables.ts";
import type { Database } from "./tables.ts";

export function createSchedules(db: Kysely<Database>): ScheduleReads & ScheduleWrites {
  return {
    async find(accountId, name) {
      const row = await db
        .selectFrom("schedules")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("name", "=", name)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async list(accountId) {
      const rows = await db
        .selectFrom("schedules")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("name")
        .execute();
      return rows.map(fromRow);
    },
    async put(accountId, schedule) {
      const days = JSON.stringify(schedule.days);
      await db
        .insertInto("schedules")
        .values({ account_id: accountId, name: schedule.name, days })
        .onConflict((conflict) => conflict.columns(["account_id", "name"]).doUpdateSet({ days }))
        .execute();
      await judgePostponed(db, { accountId, schedule: schedule.name });
    },
    async remove(accountId, name) {
      const removed = await db
        .deleteFrom("schedules")
        .where("account_id", "=", accountId)
        .where("name", "=", name)
        .executeTakeFirst();
      await judgePostponed(db, { accountId, schedule: name });
      return removed.numDeletedRows > 0n;
    },
  };
}

function fromRow({ name, days }: Selectable<ScheduleTable>): Schedule {
  return { name, days: JSON.parse(days) };
}
