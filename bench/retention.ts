import { monitorEventLoopDelay } from "node:perf_hooks";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { aCheck, aContact, alice, anAccount, anAddress, aResult } from "../test/record-builders.ts";
import { sleep, systemClock } from "../src/kit/clock.ts";
import { resultColumns } from "../src/store/sqlite/result-row.ts";
import type { Store } from "../src/store/store.ts";
import { dataFolder, fill, openStore, type Folder } from "./fixture.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const RESULTS = 300_000;
const CHANGES_OF_STATE = 100_000;
const CHECKS = 5_000;
const ALERTS = 100_000;
const ADDRESSES = 5_000;
/** With 14 million, the day of a large installation, it takes some minutes and 2 GB. */
const DAY_ROWS = 2_000_000;
const HEARTBEAT_INTERVAL_MS = 2;

const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;
const bob = anAccount("BOB", { parentId: alice.id, createdAt: today });

/** Creates a store full of expired data with SQL. */
function fillTables(folder: Folder, statements: readonly string[]): void {
  using database = new DatabaseSync(join(folder.path, "watchpost.db"));
  database.exec("PRAGMA foreign_keys = OFF; BEGIN");
  for (const statement of statements) database.exec(statement);
  database.exec("COMMIT");
}

function numbers(count: number): string {
  return `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
}

/** As if the service had run every day for that long. */
const longService = `${numbers(500)} INSERT OR REPLACE INTO service_days SELECT ${today} - i * ${DAY_MS}, 0, 0 FROM n`;

function tableOf(day: number): string {
  return `results_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function resultsOfDay(day: number, count: number, checkNo: string): string {
  const table = tableOf(day);
  return `
    CREATE TABLE IF NOT EXISTS ${table} (${resultColumns.join(", ")}) STRICT, WITHOUT ROWID;
    ${numbers(count)} INSERT INTO ${table} SELECT ${checkNo}, ${day} + (i % 1440) * ${MINUTE_MS} + i / 1440, 123, 456, 1, 1, 0, '200 OK', '', 123, 'local', NULL, '1,2,3,4,10' FROM n`;
}

interface Case {
  readonly name: string;
  readonly prepare: (store: Store) => Promise<void>;
  readonly statements: readonly string[];
  /** Work of the request, before housekeeping does the rest. */
  readonly begin: (store: Store) => Promise<unknown>;
  /** Rows that are left when everything is purged. */
  readonly left: string;
}

const cases: readonly Case[] = [
  {
    name: `a removed check: ${RESULTS} results, ${CHANGES_OF_STATE} flips, spans and gaps`,
    prepare: (store) => store.write(async (tx) => void (await tx.checks.insert(aCheck("gone")))),
    statements: [
      ...Array.from({ length: 30 }, (_, index) =>
        resultsOfDay(today - index * DAY_MS, RESULTS / 30, "2"),
      ),
      `${numbers(CHANGES_OF_STATE)} INSERT INTO flips SELECT 'flip-' || i, 2, 'passing', 'failing', ${today} - i * 1000, 0, 1, '503', 'HTTP status returned: 503' FROM n`,
      `${numbers(CHANGES_OF_STATE)} INSERT INTO spans SELECT NULL, 2, 'down', ${today} - i * 1000, ${today} - i * 1000 + 500, '503', 'HTTP status returned: 503' FROM n`,
      `${numbers(CHANGES_OF_STATE)} INSERT INTO gaps SELECT NULL, 2, 0, 'missed', '', '', ${today} - i * 1000, ${today}, 1 FROM n`,
    ],
    begin: (store) => store.write((tx) => tx.checks.remove(alice.id, "gone", systemClock.now())),
    left: "SELECT (SELECT count(*) FROM removed_checks) + (SELECT count(*) FROM flips WHERE check_no = 2) AS left",
  },
  {
    name: `a removed account: ${CHECKS} checks, ${ALERTS} alerts`,
    prepare: async (store) => {
      await store.write((tx) => tx.accounts.insert(bob));
      for (let from = 0; from < CHECKS; from += 1000)
        await store.write(async (tx) => {
          for (let index = from; index < from + 1000; index += 1)
            await tx.checks.insert(aCheck(`of-bob-${index}`, { accountId: bob.id }));
        });
    },
    statements: [alertsOf(bob.id)],
    begin: (store) => store.write((tx) => tx.accounts.remove(bob.id, systemClock.now())),
    left: "SELECT count(*) AS left FROM accounts WHERE id = 'BOB'",
  },
  {
    name: `a removed contact: ${ADDRESSES} addresses`,
    prepare: async (store) => {
      const addresses = Array.from({ length: ADDRESSES }, (_, index) => anAddress(`a-${index}`));
      await store.write((tx) => tx.contacts.insert(aContact("gone", { addresses })));
    },
    statements: [],
    begin: (store) => store.write((tx) => tx.contacts.remove(alice.id, "gone")),
    left: "SELECT count(*) AS left FROM addresses",
  },
  {
    name: `old alerts: ${ALERTS}, two deliveries each`,
    prepare: () => Promise.resolve(),
    statements: [alertsOf(alice.id)],
    begin: () => Promise.resolve(),
    left: "SELECT count(*) AS left FROM alerts",
  },
  {
    name: `a day of ${DAY_ROWS} results`,
    prepare: () => Promise.resolve(),
    statements: [resultsOfDay(today - 40 * DAY_MS, DAY_ROWS, "i % 1440")],
    begin: () => Promise.resolve(),
    left: `SELECT count(*) AS left FROM sqlite_schema WHERE name = '${tableOf(today - 40 * DAY_MS)}'`,
  },
];

function alertsOf(accountId: string): string {
  const at = today - 400 * DAY_MS;
  return `
    ${numbers(ALERTS)} INSERT INTO alerts (id, flip_id, account_id, check_no, check_id, outage, kind, contact_id, address_id, schedules, notice_id, created_at, due_at, status, attempts, next_attempt_at, possibly_sent, subject, body, last_at, response)
      SELECT 'alert-' || i, 'flip-' || i, '${accountId}', 1, 'check', 'flip-' || i, 'down', 'contact', 'address', '["All"]', 'notice-' || i, ${at} + i, ${at}, 'delivered', 1, ${at}, 0, 'subject', printf('%0300d', i), ${at} + i, '250 OK' FROM n;
    ${numbers(ALERTS)} INSERT INTO notices SELECT 'notice-' || i, printf('%0500d', i) FROM n;
    ${numbers(2 * ALERTS)} INSERT INTO deliveries SELECT NULL, 'alert-' || (i / 2), 1, ${at}, ${at}, 1, '250 OK' FROM n`;
}

interface Felt {
  readonly beginMs: number;
  readonly stallMs: number;
  readonly p50: number;
  readonly p99: number;
  readonly maxMs: number;
  readonly seconds: number;
}

/** Measures the effect of a case on heartbeats, one of which is stored every two ms. */
async function measure({ prepare, statements, begin, left }: Case): Promise<Felt> {
  await using folder = await dataFolder();
  await fill(folder, 1, () => ({}));
  const filled = await openStore(folder);
  await prepare(filled);
  await filled.close();
  fillTables(folder, [longService, ...statements]);
  let skippedMs = 0;
  // Results are compacted every ten minutes, and what is left of a check is purged after that.
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs };
  const store = await openStore(folder, clock);
  using database = new DatabaseSync(join(folder.path, "watchpost.db"), { readOnly: true });
  const remaining = database.prepare(left);

  const waits: number[] = [];
  const ending = new AbortController();
  const heartbeats = async (): Promise<void> => {
    const pending: Promise<void>[] = [];
    for (let at = systemClock.now(); !ending.signal.aborted; at += 1) {
      const begun = systemClock.monotonic();
      const stored = store.append(aResult(1, at));
      pending.push(stored.then(() => void waits.push(systemClock.monotonic() - begun)));
      await sleep(systemClock, HEARTBEAT_INTERVAL_MS);
    }
    await Promise.all(pending);
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const beating = heartbeats();
  await sleep(systemClock, 200);
  waits.length = 0;
  delay.enable();
  const begun = systemClock.monotonic();
  await begin(store);
  const beginMs = systemClock.monotonic() - begun;
  while (Number(remaining.get()?.["left"]) > 0) {
    skippedMs += 10 * MINUTE_MS;
    await store.runHousekeeping();
    await sleep(systemClock, 20);
  }
  const seconds = (systemClock.monotonic() - begun) / 1000;
  delay.disable();
  ending.abort();
  await beating;
  await store.close();
  waits.sort((one, other) => one - other);
  const at = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? 0;
  return {
    beginMs,
    stallMs: delay.max / 1e6,
    p50: at(0.5),
    p99: at(0.99),
    maxMs: at(1),
    seconds,
  };
}

/** Measures commit waits of heartbeats and event loop stalls while something large is removed. */
export async function benchRetention(): Promise<string> {
  const rows: string[] = [];
  for (const one of cases) {
    const felt = await measure(one);
    const cells = [felt.beginMs, felt.stallMs, felt.p50, felt.p99, felt.maxMs, felt.seconds];
    rows.push(`| ${one.name} | ${cells.map((cell) => cell.toFixed(1)).join(" | ")} |`);
  }
  return [
    "Retention: a heartbeat every 2 ms while something is removed; ms, but for the last column",
    "",
    "| removed | request | longest stall of the event loop | commit p50 | p99 | longest | seconds in all |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
