import { readdirSync, readFileSync } from "node:fs";

import { Conflict } from "../kit/errors.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  /** An older program may not run on what this one makes. */
  readonly breaking: boolean;
  readonly sql: string;
}

export type AppliedMigration = Pick<Migration, "number" | "name" | "breaking">;

/** Returns the migrations of an engine, in order. */
export function readMigrations(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => parseMigration(file, readFileSync(new URL(file, folder), "utf8")));
}

export function parseMigration(file: string, sql: string): Migration {
  const [, number, name] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`a migration is named like 0001-first.sql, not ${JSON.stringify(file)}`);
  return { number: Number(number), name, breaking: /^-- breaking\r?\n/.test(sql), sql };
}

/** The migrations that are yet to be applied. Throws Conflict where this program cannot run on what others have applied. */
export function missingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  database: string,
): readonly Migration[] {
  const latest = migrations.at(-1)?.number ?? 0;
  const newer = applied.findLast(({ number, breaking }) => number > latest && breaking);
  if (newer !== undefined) {
    const name = `${String(newer.number).padStart(4, "0")}-${newer.name}`;
    throw new Conflict(
      `this program is older than its database, start a version that has the migration ${JSON.stringify(name)}`,
    );
  }
  const names = new Map(applied.map(({ number, name }) => [number, name]));
  // The initial schema was reset before the first release; older ones are not read.
  for (const { number, name } of migrations) {
    const other = names.get(number);
    if (other !== undefined && other !== name)
      throw new Conflict(
        `this ${database} was written by an earlier development version, which this one cannot read: start on a new one, and carry the configuration over with "watchpost export" of that version and "watchpost apply" (its schema begins with ${JSON.stringify(other)})`,
      );
  }
  return migrations.filter(({ number }) => !names.has(number));
}
