import { constants } from "node:fs";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { messageOf } from "../../../../kit/errors.ts";
import type { JsonObject } from "../../../api-client.ts";
import { CommandError } from "../../../command-context.ts";

const MAX_ROWS = 50_000;
/** Suffix of the file that SQLite writers keep next to a database until a checkpoint. */
const LOG = "-wal";

/** The rows of tables by name; of those that the database does not have, none. */
export type Tables = Readonly<Record<string, readonly JsonObject[]>>;

export interface SourceDatabase {
  /** Small tables by name. */
  readonly tables: (names: readonly string[]) => Tables;
  /** Yields the rows of a table query; none if the table does not exist. */
  readonly rows: (
    table: string,
    query: string,
    ...values: readonly (string | number)[]
  ) => Iterable<JsonObject>;
}

/** Opens a copy, so that nothing is written to the database, nor into its folder. */
export async function withDatabase<Value>(
  path: string,
  read: (database: SourceDatabase) => Value,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-import-"));
  const copy = join(folder, "source.db");
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    if (await exists(path + LOG)) await copyFile(path + LOG, copy + LOG);
    using database = new DatabaseSync(copy, { allowExtension: false, readBigInts: false });
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON");
    return read(sourceOf(database));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${JSON.stringify(path)}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sourceOf(database: DatabaseSync): SourceDatabase {
  const known = new Set(
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
      .all()
      .map(({ name }) => String(name)),
  );
  return {
    tables: (names) =>
      Object.fromEntries(
        names.map((name) => {
          if (!known.has(name)) return [name, []];
          const rows = database.prepare(`SELECT * FROM "${name}" LIMIT ?`).all(MAX_ROWS + 1);
          if (rows.length > MAX_ROWS)
            throw new CommandError(`the table ${name} has more than ${MAX_ROWS} rows`);
          return [name, rows];
        }),
      ),
    rows: (table, query, ...values) =>
      known.has(table) ? database.prepare(query).iterate(...values) : [],
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
