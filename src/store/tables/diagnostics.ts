import type { Kysely, Selectable, Generated } from "kysely";

import type {
  DiagnosticsRun,
  DiagnosticsFinding,
  FinishedDiagnosticsRun,
} from "../../domain/diagnostics.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly diagnostics: DiagnosticsTable;
  }
}

interface DiagnosticsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly check_id: string;
  readonly outage: string;
  readonly location: string;
  readonly created_at: number;
  readonly attempts: number;
  /** Null once it is over. */
  readonly next_attempt_at: number | null;
  readonly ended_at: number | null;
  readonly findings: string | null;
}

export type OutageOfCheck = Pick<DiagnosticsRun, "checkNo" | "outage">;

/** State of a check. */
const KEPT = 100;

export function createDiagnosticsReads(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
) {
  return {
    /** Whether one can be claimed now, by the store's clock, excluding these primary accounts and their subaccounts. */
    isDue: async (exceptOf?: readonly string[]): Promise<boolean> =>
      Boolean(await due(db, engine, exceptOf).executeTakeFirst()),
    /** Finished runs of a check, newest first. */
    async listFinished(checkNo: number, limit: number): Promise<readonly FinishedDiagnosticsRun[]> {
      const rows = await db
        .selectFrom("diagnostics")
        .selectAll()
        .where("check_no", "=", checkNo)
        .where("ended_at", "is not", null)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(finishedFromRow);
    },
    /** Finished runs by outage; outages without a finished run are omitted. */
    findFinished: (
      outages: readonly OutageOfCheck[],
    ): Promise<ReadonlyMap<string, FinishedDiagnosticsRun>> => findFinished(db, outages),
    /** Whether one of an outage that this message alerts of is not finished: `message` is the id of a bundle. */
    isAnyOpen: (message: string): Promise<boolean> => isAnyOpen(db, message),
  };
}

export function createDiagnosticsWrites(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
) {
  return {
    async insert({
      id,
      accountId,
      checkNo,
      checkId,
      outage,
      location,
      createdAt,
    }: Omit<DiagnosticsRun, "attempts">): Promise<void> {
      await db
        .insertInto("diagnostics")
        .values({
          id,
          account_id: accountId,
          check_no: checkNo,
          check_id: checkId,
          outage,
          location,
          created_at: createdAt,
          attempts: 0,
          next_attempt_at: createdAt,
        })
        .execute();
    },
    /** Claims the longest due one, excluding these primary accounts: no other process can claim it until the lease ends. */
    async claim({
      leaseMs,
      exceptOf,
    }: {
      readonly leaseMs: number;
      readonly exceptOf?: readonly string[];
    }): Promise<DiagnosticsRun | undefined> {
      const row = await db
        .updateTable("diagnostics")
        .set((eb) => ({
          attempts: eb("attempts", "+", 1),
          next_attempt_at: eb(engine.now(), "+", leaseMs),
        }))
        .where("id", "=", engine.lockFreeRows(due(db, engine, exceptOf)))
        .where("next_attempt_at", "<=", engine.now())
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** False if it is gone, already finished, or was claimed for a later attempt. */
    finish: (
      run: Pick<DiagnosticsRun, "id" | "attempts">,
      end: { readonly at: number; readonly findings: readonly DiagnosticsFinding[] },
    ): Promise<boolean> => finish(db, run, end),
    /** Shifts all next attempts by a change of the clock. */
    async shiftTimes(byMs: number): Promise<void> {
      await db
        .updateTable("diagnostics")
        .set((eb) => ({ next_attempt_at: eb("next_attempt_at", "+", byMs) }))
        .where("next_attempt_at", "is not", null)
        .execute();
    },
    remove: async (id: string): Promise<void> =>
      void (await db.deleteFrom("diagnostics").where("id", "=", id).execute()),
  };
}

/** The one that has been due longest, none of these primary accounts and their subaccounts. */
function due(db: Kysely<Database>, engine: Engine, exceptOf: readonly string[] = []) {
  const first = db
    .selectFrom("diagnostics")
    .select("id")
    .where("next_attempt_at", "<=", engine.now())
    .orderBy("next_attempt_at")
    .orderBy("seq")
    .limit(1);
  if (exceptOf.length === 0) return first;
  return first.where("account_id", "not in", (eb) =>
    eb
      .selectFrom("accounts")
      .select("accounts.id")
      .where((each) =>
        each.or([each("accounts.id", "in", exceptOf), each("parent_id", "in", exceptOf)]),
      ),
  );
}

async function isAnyOpen(db: Kysely<Database>, message: string): Promise<boolean> {
  const open = await db
    .selectFrom("alerts")
    .innerJoin("diagnostics", (join) =>
      join
        .onRef("diagnostics.check_no", "=", "alerts.check_no")
        .onRef("diagnostics.outage", "=", "alerts.outage"),
    )
    .select("diagnostics.id")
    .where("alerts.bundle", "=", message)
    .where("diagnostics.ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Values bound in one statement; SQLite allows 32,766. */
const MAX_AT_ONCE = 1000;

async function findFinished(
  db: Kysely<Database>,
  outages: readonly OutageOfCheck[],
): Promise<ReadonlyMap<string, FinishedDiagnosticsRun>> {
  const found = new Map<string, FinishedDiagnosticsRun>();
  for (let start = 0; start < outages.length; start += MAX_AT_ONCE) {
    const some = outages.slice(start, start + MAX_AT_ONCE);
    const rows = await db
      .selectFrom("diagnostics")
      .selectAll()
      // The checks are indexed, the outages are not.
      .where("check_no", "in", [...new Set(some.map(({ checkNo }) => checkNo))])
      .where("outage", "in", [...new Set(some.map(({ outage }) => outage))])
      .where("ended_at", "is not", null)
      .orderBy("seq")
      .execute();
    for (const row of rows) found.set(row.outage, finishedFromRow(row));
  }
  return found;
}

async function finish(
  db: Kysely<Database>,
  { id, attempts }: Pick<DiagnosticsRun, "id" | "attempts">,
  { at, findings }: { readonly at: number; readonly findings: readonly DiagnosticsFinding[] },
): Promise<boolean> {
  const row = await db
    .updateTable("diagnostics")
    .set({ next_attempt_at: null, ended_at: at, findings: JSON.stringify(findings) })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("ended_at", "is", null)
    .returning("check_no")
    .executeTakeFirst();
  if (row === undefined) return false;
  const oldestKept = db
    .selectFrom("diagnostics")
    .select("seq")
    .where("check_no", "=", row.check_no)
    .orderBy("seq", "desc")
    .limit(1)
    .offset(KEPT - 1);
  await db
    .deleteFrom("diagnostics")
    .where("check_no", "=", row.check_no)
    .where("seq", "<", oldestKept)
    .execute();
  return true;
}

function finishedFromRow(row: Selectable<DiagnosticsTable>): FinishedDiagnosticsRun {
  const findings: readonly DiagnosticsFinding[] = JSON.parse(row.findings ?? "[]");
  return { ...fromRow(row), endedAt: row.ended_at ?? 0, findings };
}

function fromRow(row: Selectable<DiagnosticsTable>): DiagnosticsRun {
  return {
    id: row.id,
    accountId: row.account_id,
    checkNo: row.check_no,
    checkId: row.check_id,
    outage: row.outage,
    location: row.location,
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}
