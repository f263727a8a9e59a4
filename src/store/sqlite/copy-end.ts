import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import type { Sealer } from "../../kit/crypto/seal.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import type { CopyEnd } from "../copy/copy-end.ts";
import { insertRows } from "../copy/rows.ts";
import { kyselyOver } from "./dialect.ts";
import { lockFolder, openDatabase, prepareDatabase } from "./open-database.ts";
import { dayOf } from "./result-days.ts";
import { createResults } from "./results.ts";
import type { Statements } from "./thread/write-connection.ts";

/** The database of a data folder, made if need be, as one end of a copy. Every other process is kept out of it. */
export function openSqliteEnd(directory: string, sealer: Sealer): CopyEnd {
  const path = join(directory, "watchpost.db");
  const lock = lockFolder(directory);
  const database = openDatabase(path);
  prepareDatabase(database, { path, directory, sealer });
  const db = kyselyOver(database);
  const writer = statementsOn(database);
  const { days, readRows } = createResults({
    writer,
    reader: database,
    sealer,
    log: silentLog,
    meter: noMeter,
  });
  return {
    db,
    readResults: (query, limit) => Promise.resolve(readRows(query, limit)),
    lastNumbers() {
      const rows = database.prepare("SELECT name, seq FROM sqlite_sequence").all();
      return Promise.resolve(new Map(rows.map(({ name, seq }) => [String(name), Number(seq)])));
    },
    columns(table) {
      const rows = database.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0");
      return Promise.resolve(rows.all(table).map(({ name }) => String(name)));
    },
    insert: insertRows,
    append: (found) =>
      db.transaction().execute(async () => {
        for (const [day, ofDay] of Map.groupBy(found, ({ startedAt }) => dayOf(startedAt)))
          await days.insert(day, ofDay);
        days.reconcile();
      }),
    setLastNumber(table, last) {
      database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
      database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
      return Promise.resolve();
    },
    finish() {
      database.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
      return Promise.resolve();
    },
    // It would hold the lock of the folder.
    isInUse: () => Promise.resolve(false),
    close() {
      database.close();
      lock.close();
      return Promise.resolve();
    },
  };
}

function statementsOn(database: DatabaseSync): Statements {
  return {
    execute({ sql, parameters }) {
      const { changes, lastInsertRowid } = database.prepare(sql).run(...parameters);
      return Promise.resolve({
        columns: undefined,
        rows: [],
        changes: Number(changes),
        lastInsertRowid: Number(lastInsertRowid),
      });
    },
    executeMany(sql, rows) {
      const statement = database.prepare(sql);
      for (const row of rows) statement.run(...row);
      return Promise.resolve();
    },
  };
}
