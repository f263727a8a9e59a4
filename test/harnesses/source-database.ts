import type { DatabaseSync, SQLInputValue } from "node:sqlite";

export type Rows = readonly Readonly<Record<string, SQLInputValue>>[];

/** Makes tables with the columns that their rows have. */
export function fillTables(database: DatabaseSync, tables: Readonly<Record<string, Rows>>): void {
  for (const [table, rows] of Object.entries(tables)) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    database.exec(`CREATE TABLE "${table}" (${columns.map((name) => `"${name}"`).join(", ")})`);
    const marks = columns.map(() => "?").join(", ");
    const insert = database.prepare(`INSERT INTO "${table}" VALUES (${marks})`);
    for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null));
  }
}
