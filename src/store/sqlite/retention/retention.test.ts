import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";

import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { aCheck, alice, aResult, minute, noon } from "../../../../test/record-builders.ts";
import { countRows, tempStore } from "../../../../test/stores/temp-store.ts";
import { silentLog } from "../../../kit/log.ts";
import { createPurge } from "../../retention/purge.ts";
import { kyselyOver } from "../dialect.ts";
import { createSqliteEngine } from "../engine.ts";
import { migrate } from "../migrate.ts";
import { createResultDays } from "../result-days.ts";
import { createResultPurge } from "./result-purge.ts";
import type { Store } from "../../store.ts";

const day = 24 * 60 * minute;
const everything = {
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  limit: 99_999,
  order: "oldest",
} as const;

const notWritten = (): Promise<never> => Promise.reject(new Error("a purge writes by units"));

/** A database with an old row of everything, and all statements that a purge of it runs. */
async function purgeStatements(): Promise<{
  readonly database: DatabaseSync;
  readonly statements: readonly string[];
}> {
  const database = new DatabaseSync(":memory:");
  migrate(database);
  const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
  database.exec(`
    PRAGMA foreign_keys = OFF;
    ${numbers} INSERT INTO service_days SELECT ${noon - (noon % day)} - i * ${day}, 0, 0 FROM n;
    INSERT INTO accounts VALUES ('GONE', NULL, '', 'deleted', 0, 0, '[]', 0, 0, 0, 5, '[]', NULL, NULL);
    INSERT INTO removed_checks VALUES (1);
    INSERT INTO changes VALUES (1, 'ALICE', NULL, 'configuration', NULL, 0);
    INSERT INTO flips VALUES ('flip', 2, 'passing', 'failing', 0, 0, 1, '', '');
    INSERT INTO gaps VALUES (1, 2, 0, 'missed', '', '', 0, 0, 1);
    INSERT INTO evidence VALUES ('ALICE', 2, 0, 1, '');
    INSERT INTO certificates VALUES (2, 0, '', '', '', 0, 1);
    INSERT INTO diagnostics VALUES (1, 'one', 'ALICE', 2, '', '', '', 0, 1, NULL, 1, '[]');
    INSERT INTO rejected_results VALUES (1, 2, 0, '', '');
    INSERT INTO alerts (id, flip_id, account_id, check_no, check_id, kind, contact_id, address_id, schedules, notice_id, created_at, due_at, status, attempts, next_attempt_at, retry_until, judged, possibly_sent, destination)
      VALUES ('alert', 'flip', 'ALICE', 2, '', 'down', '', '', '[]', '', 0, 0, 'delivered', 1, 0, 0, 0, 0, '');
    INSERT INTO bundles VALUES ('bundle', 'ALICE', 2, '');
    CREATE TABLE results_20250101 (check_no INTEGER NOT NULL, started_at INTEGER NOT NULL, PRIMARY KEY (check_no, started_at)) STRICT, WITHOUT ROWID;
    CREATE TABLE results_20260105 (check_no INTEGER NOT NULL, started_at INTEGER NOT NULL, PRIMARY KEY (check_no, started_at)) STRICT, WITHOUT ROWID;
  `);
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  const writer = { execute: notWritten, executeMany: notWritten };
  const days = createResultDays({ writer, reader: database });
  database.prepare = (statement) => {
    statements.push(statement);
    return prepare(statement);
  };
  const clock = fakeClock(noon);
  const db = kyselyOver(database);
  const purge = createPurge({
    access: { db, inTx: (work) => work(db), engine: createSqliteEngine(clock) },
    ofEngine: createResultPurge(days),
    clock,
    log: {
      ...silentLog,
      error: (event, fields) => assert.fail(`${event} ${JSON.stringify(fields)}`),
    },
    historyDays: 396,
    summaryDays: { hourly: 90, daily: 1826 },
  });
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await purge.runOnce(true);
    await clock.advance(61 * minute);
  }
  return { database, statements: [...statements] };
}

test("no statement of a purge reads a whole table, but the list of what is to be purged", async () => {
  const { database, statements } = await purgeStatements();
  const left = ["flips", "gaps", "evidence", "certificates", "diagnostics", "alerts", "changes"];
  for (const table of [...left, "bundles", "rejected_results", "removed_checks", "accounts"])
    assert.equal(
      database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"],
      0,
      table,
    );
  assert.ok(statements.length > 40, String(statements.length));
  for (const statement of statements.filter((each) => !/drop table|results_20250101/i.test(each))) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all();
    for (const { detail } of plan)
      assert.doesNotMatch(
        String(detail),
        /^SCAN (?!removed_checks|account_switches|accounts USING (COVERING )?INDEX accounts_deleted|service_days|\(subquery|CONSTANT)/,
        statement,
      );
  }
  database.close();
});

test("the table of a day is emptied in pieces and then dropped, and others commit in between", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  // With it the day cannot be packed.
  const message = "x".repeat(5 * 1024 * 1024);
  await store.append(aResult(check.no, noon - 1, { message }));
  await Promise.all(
    Array.from({ length: 3000 }, (_, index) => store.append(aResult(check.no, noon + index))),
  );
  for (let days = 0; days < 33; days += 1) {
    await store.runHousekeeping();
    await clock.advance(day);
  }
  const seen = new Set<number>();
  let isOver = false;
  const housekeeping = store.runHousekeeping().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await store.write(() => Promise.resolve());
    if (hasTable(store.directory)) seen.add(countRows(store.directory, "results_20260105"));
  }
  await housekeeping;
  assert.ok(seen.size >= 3, [...seen].join());
  assert.equal(hasTable(store.directory), false);
});

function hasTable(directory: string): boolean {
  return countRows(directory, "sqlite_master WHERE name = 'results_20260105'") === 1;
}

async function starts(store: Store, checkNo: number): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const page of store.results.page({ checkNo, ...everything }))
    found.push(...page.map(({ startedAt }) => startedAt));
  return found;
}

test("a result that no table takes is set aside with its reason, and all others go to their day", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  const good = Array.from({ length: 300 }, (_, index) => noon + index);
  for (const startedAt of [...good, noon + 7.5, noon + day + 0.5])
    await store.append(aResult(no, startedAt));
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await clock.advance(10 * minute);
    await store.runHousekeeping();
  }
  assert.deepEqual(await starts(store, no), good);
  assert.equal(countRows(store.directory, "results_20260105"), good.length);
  assert.equal(countRows(store.directory, "result_journal"), 0);
  using database = new DatabaseSync(join(store.directory, "watchpost.db"), { readOnly: true });
  const rejected = database.prepare("SELECT check_no, reason, result FROM rejected_results").all();
  assert.deepEqual(
    rejected.map(({ check_no, result }) => [check_no, JSON.parse(String(result)).startedAt]),
    [
      [no, noon + 7.5],
      [no, noon + day + 0.5],
    ],
  );
  assert.match(String(rejected[0]?.["reason"]), /REAL value in INTEGER column/);
});
