import type { Kysely, Selectable } from "kysely";

import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly started_runs: StartedRunTable;
  }
}

interface StartedRunTable {
  readonly check_no: number;
  readonly run_id: string;
  readonly started_at: number;
  readonly due_at: number | null;
}

/** A run of a job that has begun and not ended. */
export interface StartedRun {
  readonly checkNo: number;
  /** Distinguishes concurrent runs; empty for a sender without them. */
  readonly runId: string;
  readonly startedAt: number;
  /** Deadline of the run; undefined if it has none, and after it was exceeded. */
  readonly dueAt: number | undefined;
}

export type StartedRunKey = Pick<StartedRun, "checkNo" | "runId">;

/** Maximum runs per check, because a sender may invent an ID for each. */
const NEWEST_KEPT = 20;
const DUE_PAGE = 100;

export function createStartedRunReads(db: Kysely<Database>) {
  const select = db.selectFrom("started_runs").selectAll();
  return {
    async find({ checkNo, runId }: StartedRunKey): Promise<StartedRun | undefined> {
      const row = await select
        .where("check_no", "=", checkNo)
        .where("run_id", "=", runId)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** The oldest first. */
    async list(checkNo: number): Promise<readonly StartedRun[]> {
      const rows = await select.where("check_no", "=", checkNo).orderBy("started_at").execute();
      return rows.map(fromRow);
    },
    /** Lists overdue runs of enabled checks in order, without the first `skipped`. */
    async listDue(at: number, skipped: number = 0): Promise<readonly StartedRun[]> {
      const rows = await db
        .selectFrom("started_runs")
        .innerJoin("checks", "checks.no", "started_runs.check_no")
        .selectAll("started_runs")
        .where("checks.enabled", "=", 1)
        .where("due_at", "is not", null)
        .where("due_at", "<=", at)
        .orderBy("due_at")
        .orderBy("check_no")
        .orderBy("run_id")
        .limit(DUE_PAGE)
        .offset(skipped)
        .execute();
      return rows.map(fromRow);
    },
  };
}

export function createStartedRunWrites(db: Kysely<Database>) {
  return {
    /** Starts a run; a repeated ID starts over. The newest runs of a check are kept. */
    async begin({ checkNo, runId, startedAt, dueAt }: StartedRun): Promise<void> {
      const times = { started_at: startedAt, due_at: dueAt ?? null };
      await db
        .insertInto("started_runs")
        .values({ check_no: checkNo, run_id: runId, ...times })
        .onConflict((conflict) => conflict.columns(["check_no", "run_id"]).doUpdateSet(times))
        .execute();
      const runs = await db
        .selectFrom("started_runs")
        .select("run_id")
        .where("check_no", "=", checkNo)
        .orderBy("started_at")
        .execute();
      for (const { run_id } of runs.slice(0, Math.max(0, runs.length - NEWEST_KEPT)))
        await db
          .deleteFrom("started_runs")
          .where("check_no", "=", checkNo)
          .where("run_id", "=", run_id)
          .execute();
    },
    /** Ends a run and returns its start; undefined if it was not in progress. */
    async end({ checkNo, runId }: StartedRunKey): Promise<number | undefined> {
      const row = await db
        .deleteFrom("started_runs")
        .where("check_no", "=", checkNo)
        .where("run_id", "=", runId)
        .returning("started_at")
        .executeTakeFirst();
      return row?.started_at;
    },
    /** Has it found no more to take too long, or only from then on. */
    async postpone({ checkNo, runId }: StartedRunKey, dueAt: number | undefined): Promise<void> {
      await db
        .updateTable("started_runs")
        .set({ due_at: dueAt ?? null })
        .where("check_no", "=", checkNo)
        .where("run_id", "=", runId)
        .execute();
    },
    /** Moves all of them in time. */
    async shiftTimes(byMs: number): Promise<void> {
      await db
        .updateTable("started_runs")
        .set((eb) => ({
          started_at: eb("started_at", "+", byMs),
          due_at: eb("due_at", "+", byMs),
        }))
        .execute();
    },
  };
}

function fromRow({
  check_no,
  run_id,
  started_at,
  due_at,
}: Selectable<StartedRunTable>): StartedRun {
  return {
    checkNo: check_no,
    runId: run_id,
    startedAt: started_at,
    dueAt: due_at ?? undefined,
  };
}
