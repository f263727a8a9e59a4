import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { MOST_RESULTS } from "../packed/day-format.ts";
import { createPacking, createPackingReport, startOfDay } from "../packed/packing.ts";
import type { Packing, PackSource } from "../packed/packing.ts";
import { repack } from "../packed/repack.ts";
import { readClock } from "../queries/engine.ts";
import { readPacked, replaceRows } from "../queries/packed-days.ts";
import type { StoreAccess } from "../queries/retention/service-days.ts";
import type { Database } from "../queries/tables.ts";
import { readRows } from "./results.ts";

interface Deps extends StoreAccess {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  readonly meter: Meter;
}

/** An instant of a check, before which all of its days were packed. */
interface PackedSoFar {
  readonly checkNo: number;
  readonly before: number;
}

const DAY_MS = 86_400_000;

/** A day of a check at a time, and of several processes each packs what no other does: whoever packs has locked the check. */
export function createPostgresPacking({ clock, log, meter, ...access }: Deps): Packing {
  const { db, inUnit, engine } = access;
  const report = createPackingReport({ log, meter });
  const pack = async (unit: Kysely<Database>, checkNo: number, day: number): Promise<number> => {
    const lock = unit.selectFrom("check_states").select("check_no").where("check_no", "=", checkNo);
    if ((await engine.lockFreeRows(lock).execute()).length === 0) return 0;
    const query = { checkNo, from: day, to: day + DAY_MS - 1, limit: 0, order: "oldest" } as const;
    const rows = await readRows(unit, query, MOST_RESULTS + 1);
    if (rows.length === 0) return 0;
    const packed = await readPacked(unit, { checkNo, day });
    await replaceRows(unit, repack({ checkNo, day, rows, packed }), async () => {
      const { numAffectedRows = 0n } =
        await sql`delete from results where check_no = ${checkNo} and started_at between ${query.from} and ${query.to}`.execute(
          unit,
        );
      return Number(numAffectedRows);
    });
    return rows.length;
  };
  const source: PackSource<PackedSoFar> = {
    async packPiece(after, before) {
      const next = await firstAfter(db, after);
      if (next === undefined) return undefined;
      const { checkNo } = next;
      const day = startOfDay(next.startedAt);
      if (day >= before) return { checkNo, before: Number.MAX_SAFE_INTEGER };
      try {
        report.packed(await inUnit((unit) => pack(unit, checkNo, day)));
      } catch (error) {
        report.notPacked({ checkNo, day, error });
      }
      return { checkNo, before: day + DAY_MS };
    },
  };
  return createPacking(source, { clock, now: () => readClock(db, engine) });
}

/** The first result that is a row, by check and start. */
async function firstAfter(
  db: Kysely<Database>,
  { checkNo, before }: PackedSoFar = { checkNo: 0, before: 0 },
): Promise<{ readonly checkNo: number; readonly startedAt: number } | undefined> {
  const { rows } = await sql<{ readonly checkNo: number; readonly startedAt: number }>`
    select check_no as "checkNo", started_at as "startedAt" from results
    where (check_no, started_at) >= (${checkNo}, ${before}) order by check_no, started_at limit 1`.execute(
    db,
  );
  return rows[0];
}
