import { sql, type Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { MAX_RESULTS } from "../results/day-format.ts";
import {
  createPacking,
  createPackingReport,
  startOfDay,
  type Packing,
  type PackSource,
} from "../results/packing.ts";
import { repack } from "../results/repack.ts";
import { readClock } from "../tables/engine.ts";
import { readPacked, replaceRows } from "../results/packed-days.ts";
import type { StoreAccess } from "../retention/service-days.ts";
import type { Database } from "../tables/database.ts";
import { withOwnTables } from "./dialect.ts";
import { DAY_MS, type Partition } from "./partitions/catalog.ts";
import { isCovered } from "./partitions/drop-partition.ts";
import type { PartitionUpkeep } from "./partitions/partition-upkeep.ts";
import type { PartitionedDays } from "./partitions/result-days.ts";
import { fromRow } from "./result-rows.ts";

interface Deps extends StoreAccess {
  readonly partitions: Pick<PartitionUpkeep, "packed">;
  readonly days: Pick<PartitionedDays, "refresh">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  readonly meter: Meter;
}

/** First the partitions by day and check, then the strays by check and start. */
type PackedSoFar = { readonly day: number; readonly checkNo: number } | { readonly strays: Stray };

interface Stray {
  readonly checkNo: number;
  readonly startedAt: number;
}

/** Some 30 ms where all of them are packed already. */
const CHECKS_A_PIECE = 20;

/**
 * Packs one day of a check at a time; locking the check divides the work among processes. Rows of a partition remain until it is dropped with all its checks;
 * strays are deleted.
 */
export function createPostgresPacking({ clock, log, meter, ...deps }: Deps): Packing {
  const { db, inTx, engine } = deps;
  const report = createPackingReport({ log, meter });
  const packDay = async (checkNo: number, day: number): Promise<void> => {
    try {
      report.packed(await inTx((unit) => packRows(unit, deps, { checkNo, day })));
    } catch (error) {
      report.notPacked({ checkNo, day, error });
    }
  };
  const packPartition = async (
    partition: Partition,
    after: number,
  ): Promise<PackedSoFar | undefined> => {
    const checks = await checksAfter(db, partition, after);
    for (const { checkNo, isPacked } of checks)
      if (!isPacked) await packDay(checkNo, partition.day);
    const last = checks.at(-1);
    return last && { day: partition.day, checkNo: last.checkNo };
  };
  const packStray = async (
    after: Stray | undefined,
    before: number,
  ): Promise<PackedSoFar | undefined> => {
    const next = await strayAfter(db, after);
    if (next === undefined) return undefined;
    const { checkNo, startedAt } = next;
    const day = startOfDay(startedAt);
    if (day >= before) return { strays: { checkNo, startedAt: Number.MAX_SAFE_INTEGER } };
    await packDay(checkNo, day);
    return { strays: { checkNo, startedAt: day + DAY_MS } };
  };
  const source: PackSource<PackedSoFar> = {
    async packPiece(after = { day: -Infinity, checkNo: 0 }, before) {
      if ("strays" in after) return packStray(after.strays, before);
      const attached = (await deps.days.refresh()).filter(({ state }) => state === "attached");
      const partition = attached.find(({ day }) => day >= after.day && day < before);
      if (partition === undefined) return packStray(undefined, before);
      const { day } = partition;
      const packed = await packPartition(partition, day === after.day ? after.checkNo : 0);
      if (packed !== undefined) return packed;
      deps.partitions.packed(partition);
      return { day: day + DAY_MS, checkNo: 0 };
    },
  };
  return createPacking(source, { clock, now: () => readClock(db, engine) });
}

/** Packs the rows of a check and day unless another transaction has locked the check, and returns their number. */
async function packRows(
  unit: Kysely<Database>,
  { engine }: Pick<StoreAccess, "engine">,
  { checkNo, day }: { readonly checkNo: number; readonly day: number },
): Promise<number> {
  const lock = unit.selectFrom("check_states").select("check_no").where("check_no", "=", checkNo);
  if ((await engine.lockFreeRows(lock).execute()).length === 0) return 0;
  const read = (table: "results" | "stray_results") =>
    withOwnTables(unit)
      .selectFrom(table)
      .selectAll()
      .select(sql<number>`tableoid::bigint`.as("partition"))
      .where("check_no", "=", checkNo)
      .where("started_at", ">=", day)
      .where("started_at", "<", day + DAY_MS)
      .limit(MAX_RESULTS + 1)
      .execute();
  const ofPartition = await read("results");
  const strays = await read("stray_results");
  const rows = [...ofPartition, ...strays].map(fromRow);
  if (rows.length === 0) return 0;
  const packed = await readPacked(unit, { checkNo, day });
  await replaceRows(unit, repack({ checkNo, day, rows, packed }), async () => {
    const { numDeletedRows } = await withOwnTables(unit)
      .deleteFrom("stray_results")
      .where("check_no", "=", checkNo)
      .where("started_at", ">=", day)
      .where("started_at", "<", day + DAY_MS)
      .executeTakeFirstOrThrow();
    return ofPartition.length + Number(numDeletedRows);
  });
  const [first] = ofPartition;
  if (first !== undefined)
    await sql`update packed_days set partition = ${first.partition}, partition_rows = ${ofPartition.length} where check_no = ${checkNo} and day = ${day}`.execute(
      unit,
    );
  return rows.length;
}

/** The next checks of a partition, and whether all of their rows are packed. */
async function checksAfter(
  db: Kysely<Database>,
  { day, oid }: Partition,
  checkNo: number,
): Promise<readonly { readonly checkNo: number; readonly isPacked: boolean }[]> {
  const { rows } = await sql<{ checkNo: number; isPacked: boolean }>`
    select own.check_no as "checkNo", ${isCovered({ day, oid })} as "isPacked"
    from (
      select check_no, count(*) as rows from results
      where check_no > ${checkNo} and started_at >= ${day} and started_at < ${day + DAY_MS}
      group by check_no order by check_no limit ${CHECKS_A_PIECE}
    ) as own order by own.check_no`.execute(db);
  return rows;
}

/** The first stray by check and start. */
async function strayAfter(
  db: Kysely<Database>,
  { checkNo, startedAt }: Stray = { checkNo: 0, startedAt: 0 },
): Promise<Stray | undefined> {
  const { rows } = await sql<Stray>`
    select check_no as "checkNo", started_at as "startedAt" from stray_results
    where (check_no, started_at) >= (${checkNo}, ${startedAt}) order by check_no, started_at limit 1`.execute(
    db,
  );
  return rows[0];
}
