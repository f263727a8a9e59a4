import type { Kysely, Selectable } from "kysely";

import type { Schedule } from "../../domain/schedule.ts";
import { judgePostponed } from "./alerts/postponed.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly schedules: ScheduleTable;
  }
}

interface ScheduleTable {
  readonly account_id: string;
  readonly name: string;
  readonly days: string;
}

export function createScheduleReads(db: Kysely<Database>) {
  return {
    async find(accountId: string, name: string): Promise<Schedule | undefined> {
      const row = await db
        .selectFrom("schedules")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("name", "=", name)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** Lists schedules by name. */
    async list(accountId: string): Promise<readonly Schedule[]> {
      const rows = await db
        .selectFrom("schedules")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("name")
        .execute();
      return rows.map(fromRow);
    },
  };
}

export function createScheduleWrites(db: Kysely<Database>) {
  return {
    /** Creates it or replaces it whole. */
    async put(accountId: string, schedule: Schedule): Promise<void> {
      const days = JSON.stringify(schedule.days);
      await db
        .insertInto("schedules")
        .values({ account_id: accountId, name: schedule.name, days })
        .onConflict((conflict) => conflict.columns(["account_id", "name"]).doUpdateSet({ days }))
        .execute();
      await judgePostponed(db, { accountId, schedule: schedule.name });
    },
    async remove(accountId: string, name: string): Promise<boolean> {
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
