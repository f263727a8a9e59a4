import { statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import type { Sealer } from "../../kit/crypto/seal.ts";
import { Conflict, messageOf, Unavailable } from "../../kit/errors.ts";
import { missingMigrations, type AppliedMigration } from "../migrations.ts";
import { KEY_CHECK, verifyKeyCheck } from "../sealed-word.ts";
import { readApplied, sqliteMigrations } from "../sqlite/migrate.ts";

/** Number of rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Reports progress of a long operation; called often, and throws to abort it. */
export type Progress = (what: string, share: number) => void;

/** Some MB, so that progress is seen and a signal is handled. */
const PAGES_A_STEP = 2048;

/**
 * Copies a database file to a new one as of one instant, despite concurrent writes, and returns its row counts. The snapshot blocks nobody, but the log cannot
 * be shortened until it ends.
 */
export async function copySnapshot(
  { source, target }: { readonly source: string; readonly target: string },
  progress: Progress,
): Promise<RowCounts> {
  const database = openReadOnly(source);
  try {
    database.exec("BEGIN");
    refuseUnfinished(database);
    const rows = await countRows(database, (share) => progress("counting", share));
    progress("copying", 0);
    await backup(database, target, {
      rate: PAGES_A_STEP,
      progress({ totalPages, remainingPages }) {
        progress("copying", totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
      },
    });
    return rows;
  } finally {
    database.close();
  }
}

/** The size of a database and of its log, which a copy has at most. */
export function databaseBytes(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Read-only database without writers, opened without changing a byte of it or beside it. */
export interface StillDatabase extends Disposable {
  /** Throws Conflict where this program is too old for it, or cannot read it. */
  readonly migrations: () => readonly AppliedMigration[];
  /** Throws Conflict where it was sealed with another key. */
  readonly verifyKey: (sealer: Pick<Sealer, "open">, said: string) => void;
  /** Reads all of it; throws Unavailable where it is damaged. */
  readonly check: (progress: Progress) => Promise<RowCounts>;
}

export function openStill(path: string): StillDatabase {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  const database = new DatabaseSync(url, { readOnly: true });
  return {
    migrations() {
      const applied = readApplied(database);
      missingMigrations(sqliteMigrations(), applied, "backup");
      return applied;
    },
    verifyKey(sealer, said) {
      const word = database.prepare("SELECT value FROM meta WHERE key = ?").get(KEY_CHECK)?.value;
      verifyKeyCheck(sealer, String(word), said);
    },
    async check(progress) {
      for (const [index, table] of tablesOf(database).entries()) {
        await turn();
        progress("checking", index / tablesOf(database).length);
        const [first] = database.prepare(`PRAGMA integrity_check("${table}")`).all();
        if (first?.["integrity_check"] !== "ok")
          throw new Unavailable(
            `the database is damaged: ${String(first?.["integrity_check"])}; see docs/worst-day.md`,
          );
      }
      return countRows(database, (share) => progress("counting the copy", share));
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function openReadOnly(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    database.exec("PRAGMA temp_store = MEMORY");
    return database;
  } catch (error) {
    throw new Unavailable(
      `the database ${JSON.stringify(path)} cannot be read by this user: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function refuseUnfinished(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM meta WHERE key = 'copying'").get() !== undefined)
    throw new Conflict(
      'the database is an unfinished copy: finish it with "watchpost store copy", with the same source',
    );
}

async function countRows(
  database: DatabaseSync,
  progress: (share: number) => void,
): Promise<RowCounts> {
  const tables = tablesOf(database);
  const counts: [string, number][] = [];
  for (const table of tables) {
    await turn();
    progress(counts.length / tables.length);
    const row = database.prepare(`SELECT count(*) AS rows FROM "${table}"`).get();
    counts.push([table, Number(row?.["rows"])]);
  }
  return Object.fromEntries(counts);
}

function tablesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name));
}

/** SQLite is synchronous: in between a signal is handled. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
