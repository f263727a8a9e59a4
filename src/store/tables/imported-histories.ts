import type { Kysely, Selectable } from "kysely";

import type { ImportedSpan } from "../../domain/imported-history.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly imported_histories: ImportedHistoryTable;
    readonly imported_spans: ImportedSpanTable;
  }
}

interface ImportedHistoryTable {
  readonly check_no: number;
  readonly account_id: string;
  readonly origin: string;
  readonly start_at: number;
  readonly end_at: number;
  readonly spans: number;
  readonly created_at: number;
}

interface ImportedSpanTable {
  readonly check_no: number;
  readonly kind: ImportedSpan["kind"];
  readonly start_at: number;
  readonly end_at: number;
  readonly message: string;
}

/** Check history imported from another system. */
export interface ImportedHistory {
  readonly checkNo: number;
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  /** How many it has. */
  readonly spans: number;
  readonly createdAt: number;
}

export interface AccountHistory extends ImportedHistory {
  readonly checkId: string;
}

/** Few enough for the parameters of a statement. */
const SPANS_A_STATEMENT = 500;

export function createImportedHistoryReads(db: Kysely<Database>) {
  const withCheck = db
    .selectFrom("imported_histories")
    .innerJoin("checks", "checks.no", "imported_histories.check_no")
    .selectAll("imported_histories")
    .select("checks.id");
  return {
    async find(checkNo: number): Promise<ImportedHistory | undefined> {
      const row = await withCheck.where("check_no", "=", checkNo).executeTakeFirst();
      return row && fromRow(row);
    },
    /** Lists aliases of an account, ordered by check. */
    async list(accountId: string): Promise<readonly AccountHistory[]> {
      const rows = await withCheck
        .where("imported_histories.account_id", "=", accountId)
        .orderBy("check_no")
        .execute();
      return rows.map((row) => ({ ...fromRow(row), checkId: row.id }));
    },
    /** How many spans an account has. */
    async countSpans(accountId: string): Promise<number> {
      const row = await db
        .selectFrom("imported_histories")
        .select((eb) => eb.fn.sum("spans").as("spans"))
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return Number(row?.spans ?? 0);
    },
    /** Lists spans that overlap [from, to), by start. */
    async listSpans(
      checkNo: number,
      [from, to]: readonly [from: number, to: number],
    ): Promise<readonly ImportedSpan[]> {
      const rows = await db
        .selectFrom("imported_spans")
        .selectAll()
        .where("check_no", "=", checkNo)
        .where("start_at", "<", to)
        .where("end_at", ">", from)
        .orderBy("start_at")
        .orderBy("kind")
        .execute();
      return rows.map(({ kind, start_at, end_at, message }) => ({
        kind,
        start: start_at,
        end: end_at,
        message,
      }));
    },
    /** Start of the check's own history. */
    async ownStart(checkNo: number): Promise<number | undefined> {
      const row = await db
        .selectFrom("spans")
        .select((eb) => eb.fn.min("start_at").as("start_at"))
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      return row?.start_at ?? undefined;
    },
  };
}

export function createImportedHistoryWrites(db: Kysely<Database>) {
  const reads = createImportedHistoryReads(db);
  return {
    /** Adds spans, and notes of what they are; one that begins where what was known ended continues the one of its kind. */
    async add(
      history: Omit<ImportedHistory, "spans">,
      spans: readonly ImportedSpan[],
    ): Promise<void> {
      const { checkNo } = history;
      const known = await reads.find(checkNo);
      const begun: ImportedSpan[] = [];
      for (const span of spans)
        if (span.start !== known?.end || !(await continueSpan(db, checkNo, span))) begun.push(span);
      for (let first = 0; first < begun.length; first += SPANS_A_STATEMENT)
        await insertSpans(db, checkNo, begun.slice(first, first + SPANS_A_STATEMENT));
      const row = { ...toRow(history), spans: (known?.spans ?? 0) + begun.length };
      await db
        .insertInto("imported_histories")
        .values(row)
        .onConflict((conflict) => conflict.column("check_no").doUpdateSet(row))
        .execute();
    },
    async remove(checkNo: number): Promise<void> {
      await db.deleteFrom("imported_spans").where("check_no", "=", checkNo).execute();
      await db.deleteFrom("imported_histories").where("check_no", "=", checkNo).execute();
    },
  };
}

/** Extends the span of this kind that ends where this one starts; returns whether there is one. */
async function continueSpan(
  db: Kysely<Database>,
  checkNo: number,
  { kind, start, end }: ImportedSpan,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("imported_spans")
    .set({ end_at: end })
    .where("check_no", "=", checkNo)
    .where("kind", "=", kind)
    .where("end_at", "=", start)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function insertSpans(
  db: Kysely<Database>,
  checkNo: number,
  spans: readonly ImportedSpan[],
): Promise<void> {
  const rows = spans.map(({ kind, start, end, message }) => ({
    check_no: checkNo,
    kind,
    start_at: start,
    end_at: end,
    message,
  }));
  await db.insertInto("imported_spans").values(rows).execute();
}

function toRow(history: Omit<ImportedHistory, "spans">): Omit<ImportedHistoryTable, "spans"> {
  return {
    check_no: history.checkNo,
    account_id: history.accountId,
    origin: history.origin,
    start_at: history.start,
    end_at: history.end,
    created_at: history.createdAt,
  };
}

function fromRow(row: Selectable<ImportedHistoryTable>): ImportedHistory {
  return {
    checkNo: row.check_no,
    accountId: row.account_id,
    origin: row.origin,
    start: row.start_at,
    end: row.end_at,
    spans: row.spans,
    createdAt: row.created_at,
  };
}
