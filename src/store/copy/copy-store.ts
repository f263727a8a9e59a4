import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import { Conflict, NotFound } from "../../kit/errors.ts";
import type { Database } from "../tables/database.ts";
import { copiedMeta, copiedTables, rebuiltColumns, type CopiedTable } from "./copied-tables.ts";
import type { CopyEnd } from "./copy-end.ts";
import { endProgress, readProgress, writeProgress, type CopyProgress } from "./copy-progress.ts";
import { createRowDigest, positionOf, readPage, type RowDigest } from "./rows.ts";

const PAGE_ROWS = 500;
const RESULTS = "results";

/** Table that was copied and verified at both ends. */
export interface CopiedPart {
  readonly name: string;
  readonly rows: number;
  readonly digest: string;
}

interface Ends {
  readonly source: CopyEnd;
  readonly target: CopyEnd;
}

/**
 * Copies an installation to an empty database, or resumes an interrupted copy, and compares both ends. Rejects with NotFound if there is nothing to copy, and
 * with Conflict if a service runs on the source, the target has its own records, or the ends differ; the copy stays unusable then.
 */
export async function copyStore(
  ends: Ends,
  copied: (part: CopiedPart) => void,
): Promise<readonly CopiedPart[]> {
  const { source, target } = ends;
  if (!(await hasAccounts(source.db))) throw new NotFound("the source has nothing to copy");
  if (await source.isInUse())
    throw new Conflict(
      "a service runs on the source: stop every process of it first, for what it stores meanwhile would be missing",
    );
  const progress = await beginOrResume(target.db);
  const reached = copiedTables.findIndex(({ table }) => table === progress.at);
  // If it is none of these tables, the copy had reached the results.
  for (const each of reached === -1 ? [] : copiedTables.slice(reached)) {
    const after = each.table === progress.at ? progress.after : undefined;
    await copyTable(ends, each, after);
  }
  await copyResults(ends, progress.at === RESULTS ? progress.after : undefined);
  await copyMeta(ends);
  const lastNumbers = await source.lastNumbers();
  for (const { table } of copiedTables) {
    const last = lastNumbers.get(table);
    if (last !== undefined) await target.setLastNumber(table, last);
  }
  await target.finish();

  const compared: CopiedPart[] = [];
  for (const table of copiedTables) {
    const part = await compareTable(ends, table);
    copied(part);
    compared.push(part);
  }
  const results = await compareResults(ends);
  copied(results);
  await endProgress(target.db);
  return [...compared, results];
}

async function beginOrResume(db: Kysely<Database>): Promise<CopyProgress> {
  const known = await readProgress(db);
  if (known !== undefined) return known;
  if (await hasAccounts(db))
    throw new Conflict("the target has accounts of its own: copy into an empty one");
  const begun = { at: copiedTables[0]?.table ?? RESULTS, after: undefined };
  await writeProgress(db, begun);
  return begun;
}

async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined;
}

async function copiedColumns(target: CopyEnd, table: string): Promise<readonly string[]> {
  return (await target.columns(table)).filter((column) => !rebuiltColumns.has(column));
}

async function copyTable(
  { source, target }: Ends,
  copiedTable: CopiedTable,
  from: CopyProgress["after"],
): Promise<void> {
  const { table, key } = copiedTable;
  const columns = await copiedColumns(target, table);
  let after = from;
  for (;;) {
    const rows = await readPage(source.db, { ...copiedTable, columns, after, limit: PAGE_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    const end = positionOf(last, key);
    await target.db.transaction().execute(async (connection) => {
      await target.insert(connection, { table, rows });
      await writeProgress(connection, { at: table, after: end });
    });
    after = end;
  }
}

async function copyResults({ source, target }: Ends, from: CopyProgress["after"]): Promise<void> {
  for await (const checkNo of checkNumbers(source.db, Number(from?.[0] ?? 0))) {
    for await (const page of pagesOf(source, checkNo)) await target.append(page);
    await writeProgress(target.db, { at: RESULTS, after: [checkNo] });
  }
}

/** Results of checks that were removed are about to be purged, and not copied. */
async function* checkNumbers(db: Kysely<Database>, after: number): AsyncIterable<number> {
  let last = after;
  for (;;) {
    const rows = await db
      .selectFrom("checks")
      .select("no")
      .where("no", ">", last)
      .orderBy("no")
      .limit(PAGE_ROWS)
      .execute();
    for (const { no } of rows) yield no;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.no ?? last;
  }
}

async function* pagesOf(end: CopyEnd, checkNo: number): AsyncIterable<readonly Result[]> {
  let from = 0;
  for (;;) {
    const query = { checkNo, from, to: Number.MAX_SAFE_INTEGER, limit: PAGE_ROWS } as const;
    const page = await end.readResults({ ...query, order: "oldest" }, PAGE_ROWS);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    from = last.startedAt + 1;
  }
}

async function copyMeta({ source, target }: Ends): Promise<void> {
  const rows = await source.db
    .selectFrom("meta")
    .selectAll()
    .where("key", "in", copiedMeta)
    .execute();
  for (const row of rows)
    await target.db
      .insertInto("meta")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
      .execute();
}

async function compareTable({ source, target }: Ends, table: CopiedTable): Promise<CopiedPart> {
  const columns = await copiedColumns(target, table.table);
  const digestOf = async (db: Kysely<Database>): Promise<ReturnType<RowDigest["end"]>> => {
    const digest = createRowDigest();
    let after: CopyProgress["after"];
    for (;;) {
      const rows = await readPage(db, { ...table, columns, after, limit: PAGE_ROWS });
      const last = rows.at(-1);
      if (last === undefined) return digest.end();
      for (const row of rows) digest.add(row);
      after = positionOf(last, table.key);
    }
  };
  return same(table.table, await digestOf(source.db), await digestOf(target.db));
}

async function compareResults({ source, target }: Ends): Promise<CopiedPart> {
  const [inSource, inTarget] = [createRowDigest(), createRowDigest()];
  for await (const checkNo of checkNumbers(source.db, 0)) {
    for await (const page of pagesOf(source, checkNo)) for (const each of page) inSource.add(each);
    for await (const page of pagesOf(target, checkNo)) for (const each of page) inTarget.add(each);
  }
  return same(RESULTS, inSource.end(), inTarget.end());
}

function same(
  name: string,
  source: ReturnType<RowDigest["end"]>,
  target: ReturnType<RowDigest["end"]>,
): CopiedPart {
  if (source.digest !== target.digest || source.rows !== target.rows)
    throw new Conflict(
      `the copy differs in ${name}: ${source.rows} rows with the digest ${source.digest} in the source, ${target.rows} with ${target.digest} in the target. Was either of them in use meanwhile? Empty the target and copy again`,
    );
  return { name, ...target };
}
