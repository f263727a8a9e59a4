import { sql, type Kysely, type Selectable } from "kysely";

import type { CheckGap, Gap, GapTable } from "../checks.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";

export type GapRow = Pick<
  Selectable<GapTable>,
  "kind" | "reason" | "message" | "first_tick" | "last_tick" | "ticks"
>;

/** A literal, for a partial index is not found through a parameter. */
export const open = sql.lit(1 as const);

export function createGapReads(db: Kysely<Database>) {
  return {
    /** The latest first. */
    async listGaps(checkNo: number, limit: number): Promise<readonly Gap[]> {
      const rows = await db
        .selectFrom("gaps")
        .selectAll()
        .where("check_no", "=", checkNo)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(gapFromRow);
    },
  };
}

export function createGapWrites(db: Kysely<Database>, engine: Pick<Engine, "elementsOf">) {
  const recordGaps = async (gaps: readonly CheckGap[]): Promise<void> => {
    for (let rest = gaps; rest.length > 0;) {
      const firsts = new Map(rest.toReversed().map((gap) => [gap.checkNo, gap]));
      await recordEach([...firsts.values()], { db, engine });
      rest = rest.filter((gap) => firsts.get(gap.checkNo) !== gap);
    }
  };
  return {
    /** Extends the open gap of the check where its kind and reason are the same; otherwise closes that and opens this one. */
    recordGap: (checkNo: number, gap: Gap): Promise<void> => recordGaps([{ checkNo, ...gap }]),
    /** The same for many, in a few statements; those of one check in their order. */
    recordGaps,
    /** A tick of each has a result again: the checks show no gap any more. */
    closeGaps: (checkNos: readonly number[]): Promise<void> => closeGaps(db, checkNos),
  };
}

interface Writing {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, "elementsOf">;
}

/** Gaps of checks that are all different. */
async function recordEach(gaps: readonly CheckGap[], { db, engine }: Writing): Promise<void> {
  const extended = await sql<{ check_no: number }>`
    with given as ${given(gaps, engine)}
    update gaps
    set message = given.message, last_tick = given.last_tick,
      -- A tick that was tried again counts once.
      ticks = case when gaps.last_tick = given.last_tick then gaps.ticks else gaps.ticks + given.ticks end
    from given
    where gaps.check_no = given.check_no and gaps.is_open = ${open} and gaps.kind = given.kind and gaps.reason = given.reason
    returning gaps.check_no`.execute(db);
  const over = new Set(extended.rows.map(({ check_no }) => check_no));
  const others = gaps.filter(({ checkNo }) => !over.has(checkNo));
  if (others.length === 0) return;
  await closeGaps(
    db,
    others.map(({ checkNo }) => checkNo),
  );
  // Nothing for a check that is gone.
  await sql`
    with given as ${given(others, engine)}
    insert into gaps (check_no, is_open, kind, reason, message, first_tick, last_tick, ticks)
    select given.check_no, ${open}, kind, reason, message, first_tick, last_tick, ticks
    from given join check_states on check_states.check_no = given.check_no`.execute(db);
}

function given(gaps: readonly CheckGap[], { elementsOf }: Pick<Engine, "elementsOf">) {
  const text = (key: keyof CheckGap) => sql`value ->> ${sql.lit(key)}`;
  const number = (key: keyof CheckGap) => sql`cast(${text(key)} as bigint)`;
  return sql`(
    select ${number("checkNo")} as check_no, ${text("kind")} as kind, ${text("reason")} as reason, ${text("message")} as message,
      ${number("firstTick")} as first_tick, ${number("lastTick")} as last_tick, ${number("ticks")} as ticks
    from ${elementsOf(JSON.stringify(gaps))})`;
}

export async function closeGaps(db: Kysely<Database>, checkNos: readonly number[]): Promise<void> {
  if (checkNos.length === 0) return;
  await db
    .updateTable("gaps")
    .set({ is_open: 0 })
    .where("check_no", "in", checkNos)
    .where("is_open", "=", open)
    .execute();
}

export function gapFromRow({ kind, reason, message, first_tick, last_tick, ticks }: GapRow): Gap {
  return { kind, reason, message, firstTick: first_tick, lastTick: last_tick, ticks };
}
