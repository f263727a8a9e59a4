import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

import { aCheck, alice } from "../test/record-builders.ts";
import type { Check } from "../src/domain/check.ts";
import { systemClock, type Clock } from "../src/kit/clock.ts";
import { silentLog } from "../src/kit/log.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { targetWithoutCredentials } from "../src/domain/target.ts";
import { createAccountWrites } from "../src/store/tables/accounts.ts";
import { toRow } from "../src/store/tables/checks/check-row.ts";
import { kyselyOver } from "../src/store/sqlite/dialect.ts";
import { createSqliteEngine } from "../src/store/sqlite/engine.ts";
import { openDatabase, prepareDatabase } from "../src/store/sqlite/open-database.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import type { Measured } from "./load.ts";

const root = join(import.meta.dirname, "..");

export interface Folder extends AsyncDisposable {
  readonly path: string;
  readonly key: Uint8Array;
}

/** Creates a data folder next to the code, because a temporary folder may be in memory. */
export async function dataFolder(): Promise<Folder> {
  const path = await mkdtemp(join(root, "data-bench-"));
  const key = randomBytes(32);
  await writeFile(join(path, "instance.key"), key.toString("hex"));
  return { path, key, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

export function openStore(folder: Folder, clock: Clock = systemClock): Promise<Store> {
  return openSqliteStore({
    directory: folder.path,
    clock,
    sealer: createSealer(folder.key),
    log: silentLog,
  });
}

/**
 * Fills a folder with enabled checks that are passing already, as they would be on any other day. By their rows, before a store is
 * open: to create each as the API does takes the machine minutes for 20,000.
 */
export async function fill(
  { path: directory, key }: Folder,
  count: number,
  checkOf: (index: number) => Partial<Check>,
): Promise<readonly string[]> {
  const at = systemClock.now();
  const path = join(directory, "watchpost.db");
  const sealer = createSealer(key);
  using database = openDatabase(path);
  prepareDatabase(database, { path, directory, sealer });
  const db = kyselyOver(database);
  database.exec("BEGIN");
  await createAccountWrites(db, { engine: createSqliteEngine(systemClock) }).insert({
    ...alice,
    createdAt: at,
  });
  const insert = {
    checks: inserting(database, "checks"),
    check_states: inserting(database, "check_states"),
    check_revisions: inserting(database, "check_revisions"),
    spans: inserting(database, "spans"),
  };
  const ids = Array.from(
    { length: count },
    (_, index) => `${alice.id}-${String(index).padStart(8, "0")}`,
  );
  for (const [index, id] of ids.entries()) {
    const check = {
      ...aCheck(id, { uuid: id, createdAt: at, modifiedAt: at }),
      ...checkOf(index),
    };
    const no = insert.checks(toRow(check, sealer));
    insert.check_states({ check_no: no, state: "passing", known_since: at });
    insert.check_revisions({
      check_no: no,
      revision: check.runRevision,
      sealed_target: sealer.seal(targetWithoutCredentials(check.parameters)),
      type: check.type,
      timeout_seconds: check.timeoutSeconds,
      interval_minutes: check.intervalMinutes,
    });
    insert.spans({ check_no: no, kind: "enabled", start_at: at });
  }
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  return ids;
}

/** Inserts rows of a table, all with the same columns; gives the number of each. */
function inserting(
  database: DatabaseSync,
  table: string,
): (row: Readonly<Record<string, SQLInputValue>>) => number {
  let statement: StatementSync | undefined;
  return (row) => {
    const columns = Object.keys(row);
    const values = columns.map(() => "?").join(", ");
    statement ??= database.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values})`,
    );
    return Number(statement.run(...Object.values(row)).lastInsertRowid);
  };
}

/** Baselines have as small a young generation as the program. */
const BASELINE_FLAGS = ["--max-semi-space-size=8"];
export const compileCache = join(root, "node_modules/.cache/node");

export interface Server extends AsyncDisposable {
  readonly port: number;
}

/** Starts a baseline, or "watchpost" as `npm start` does, and waits until it says on which port it is. */
export async function startServer(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  parameters: readonly string[] = [],
): Promise<Server> {
  const path = join(root, file);
  const [program, ...args] = file.endsWith(".ts")
    ? [process.execPath, ...BASELINE_FLAGS, path, "0"]
    : [path];
  const child = spawn(program, [...args, ...parameters], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let said = "";
    const look = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /(?:port |"address":"http:\/\/127\.0\.0\.1:)(\d+)/.exec(said) ?? [];
      if (found === undefined) return;
      for (const stream of [child.stdout, child.stderr]) stream.off("data", look).resume();
      resolve(Number(found));
    };
    for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
    child.once("exit", () => reject(new Error(`${file} ended`)));
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** A row of medians: the rate, the latencies, and the statuses. */
export function rowOf(name: string, measured: readonly Measured[]): string {
  const [perSecond, p50, p99] = (["perSecond", "p50", "p99"] as const).map((key) =>
    median(measured.map((one) => one[key])),
  );
  return `| ${name} | ${Math.round(perSecond ?? 0)} | ${p50?.toFixed(1)} | ${p99?.toFixed(1)} | ${JSON.stringify(measured[0]?.statuses)} |`;
}
