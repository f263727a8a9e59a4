import { sql, type Kysely } from "kysely";

import type { Clock } from "../../../kit/clock.ts";
import {
  createPacking,
  createPackingReport,
  type Packing,
  type PackingReport,
  type PackSource,
} from "../../results/packing.ts";
import type { RepackedDay } from "../../results/repack.ts";
import { replaceRows } from "../../results/packed-days.ts";
import type { Database } from "../../tables/database.ts";
import type { BackgroundWorker } from "../background-worker.ts";
import { dayOf, startOf, tableOf } from "../result-days.ts";
import type { Results } from "../results.ts";
import type { GroupCommit } from "../group-commit.ts";
import { createInTransaction } from "../result-storage.ts";
import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";
import type { InTransaction } from "./compact-chunk.ts";

/** A day, and the number of the last of its checks that was packed; undefined once all of them were. */
interface PackedSoFar {
  readonly day: string;
  readonly checkNo: number | undefined;
}

interface Deps {
  readonly results: Pick<Results, "days" | "willPack">;
  readonly worker: Pick<BackgroundWorker, "pack">;
  /** The connection of units. */
  readonly db: Kysely<Database>;
  readonly commits: Pick<GroupCommit, "add">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Log;
  readonly meter: Meter;
}

/** Reads and packs in a separate thread; only writes queue with transactions. Drops emptied tables. */
export function createSqlitePacking({ commits, clock, log, meter, ...deps }: Deps): Packing {
  const report = createPackingReport({ log, meter });
  const source = createSource({ ...deps, inTx: createInTransaction(commits), report });
  return createPacking(source, { clock, now: () => Promise.resolve(clock.now()) });
}

function createSource({
  results: { days, willPack },
  worker,
  db,
  inTx,
  report,
}: Pick<Deps, "results" | "worker" | "db"> & {
  readonly inTx: InTransaction;
  readonly report: PackingReport;
}): PackSource<PackedSoFar> {
  const write = async (packed: RepackedDay, day: string): Promise<void> => {
    const table = tableOf(day);
    const deleteRows = async (): Promise<number> => {
      const { numAffectedRows = 0n } =
        await sql`delete from ${sql.table(table)} where check_no = ${packed.checkNo}`.execute(db);
      return Number(numAffectedRows);
    };
    willPack(packed.lastAt);
    await inTx(() => replaceRows(db, packed, deleteRows));
    report.packed(packed.rows);
  };
  /** A table without rows is not needed. */
  const dropIfEmpty = async (day: string): Promise<void> => {
    const table = sql.table(tableOf(day));
    if (!days.isEmpty(day)) return;
    days.forget(day);
    await inTx(async () => void (await sql`drop table ${table}`.execute(db)));
  };

  return {
    async packPiece(after, before) {
      const next = days.list().find((day) => day < dayOf(before) && !isPast(day, after));
      if (next === undefined) return undefined;
      const piece = await worker.pack({
        kind: "pack",
        table: tableOf(next),
        day: startOf(next),
        after: (next === after?.day ? after.checkNo : undefined) ?? -1,
      });
      const written = await Promise.allSettled(piece.days.map((packed) => write(packed, next)));
      const failed = written.flatMap((end, index) =>
        end.status === "rejected"
          ? [{ checkNo: piece.days[index]?.checkNo ?? 0, error: end.reason }]
          : [],
      );
      for (const { checkNo, error } of [...piece.notPacked, ...failed])
        report.notPacked({ checkNo, day: startOf(next), error });
      if (piece.last !== undefined) return { day: next, checkNo: piece.last };
      await dropIfEmpty(next);
      return { day: next, checkNo: undefined };
    },
  };
}

function isPast(day: string, after: PackedSoFar | undefined): boolean {
  if (after === undefined) return false;
  return day < after.day || (day === after.day && after.checkNo === undefined);
}
