import { sql } from "kysely";
import type { Kysely, Selectable } from "kysely";

import type { Gap, StateReads, StateWrites } from "../../states.ts";
import type { Database, GapTable } from "../tables.ts";

export type GapRow = Pick<
  Selectable<GapTable>,
  "kind" | "reason" | "message" | "first_tick" | "last_tick" | "ticks"
>;

/** A literal, for a partial index is not found through a parameter. */
export const open = sql.lit(1 as const);

export function createGaps(
  db: Kysely<Database>,
): Pick<StateReads & StateWrites, "listGaps" | "recordGap" | "closeGap"> {
  return {
    async listGaps(checkNo, limit) {
      const rows = await db
        .selectFrom("gaps")
        .selectAll()
        .where("check_no", "=", checkNo)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(gapFromRow);
    },
    async recordGap(checkNo, gap) {
      if (await extendGap(db, checkNo, gap)) return;
      await closeGap(db, checkNo);
      await insertGap(db, checkNo, gap);
    },
    closeGap: (checkNo) => closeGap(db, checkNo),
  };
}

/** False where the check's open gap is another one, or none. */
async function extendGap(
  db: Kysely<Database>,
  checkNo: number,
  { kind, reason, message, lastTick, ticks }: Gap,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("gaps")
    .set((eb) => ({
      message,
      last_tick: lastTick,
      // A tick that was tried again counts once.
      ticks: eb
        .case()
        .when("last_tick", "=", lastTick)
        .then(eb.ref("ticks"))
        .else(eb("ticks", "+", ticks))
        .end(),
    }))
    .where("check_no", "=", checkNo)
    .where("is_open", "=", open)
    .where("kind", "=", kind)
    .where("reason", "=", reason)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function closeGap(db: Kysely<Database>, checkNo: number): Promise<void> {
  await db
    .updateTable("gaps")
    .set({ is_open: 0 })
    .where("check_no", "=", checkNo)
    .where("is_open", "=", open)
    .execute();
}

/** Inserts nothing for a check that is gone. */
async function insertGap(
  db: Kysely<Database>,
  checkNo: number,
  { kind, reason, message, firstTick, lastTick, ticks }: Gap,
): Promise<void> {
  await db
    .insertInto("gaps")
    .columns([
      "check_no",
      "is_open",
      "kind",
      "reason",
      "message",
      "first_tick",
      "last_tick",
      "ticks",
    ])
    .expression((eb) =>
      eb
        .selectFrom("check_states")
        .where("check_no", "=", checkNo)
        .select([
          "check_no",
          open.as("is_open"),
          eb.val(kind).as("kind"),
          eb.val(reason).as("reason"),
          eb.val(message).as("message"),
          eb.cast<number>(eb.val(firstTick), "bigint").as("first_tick"),
          eb.cast<number>(eb.val(lastTick), "bigint").as("last_tick"),
          eb.cast<number>(eb.val(ticks), "bigint").as("ticks"),
        ]),
    )
    .execute();
}

export function gapFromRow({ kind, reason, message, first_tick, last_tick, ticks }: GapRow): Gap {
  return { kind, reason, message, firstTick: first_tick, lastTick: last_tick, ticks };
}
