import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";

import { systemClock } from "../src/kit/clock.ts";
import { Secret } from "../src/kit/crypto/secret.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { silentLog } from "../src/kit/log.ts";
import { kyselyOver } from "../src/store/postgres/dialect.ts";
import { migrate } from "../src/store/postgres/migrate.ts";
import { createPool } from "../src/store/postgres/pool.ts";
import { openPostgresStore } from "../src/store/postgres/postgres-store.ts";
import type { Store } from "../src/store/store.ts";
import type { Grouping } from "../src/store/tables/alerts.ts";
import { aCheck, aContact, alice, anAddress, anAlert } from "../test/record-builders.ts";
import { postgres } from "../test/servers/postgres.ts";
import { dataFolder, median, openStore } from "./fixture.ts";

const FEW = 10;
const DUE = 10;
const LOOKS = 20;
/** As many as the notifier looks at. */
const OLDEST = 256;
const LEASE_MS = 90_000;
const grouping: Grouping = new Map([["email", { waitMs: 1000, alerts: "all" }]]);

type Others = "later" | "due to others";
type Times = Readonly<Record<"find" | "walk" | "claim" | "commit", number>>;

interface Scene extends AsyncDisposable {
  readonly store: Store;
}

interface Database {
  readonly name: string;
  readonly many: number;
  /** With what the statement inserts, and with a check and the addresses of the due alerts. */
  readonly open: (load: string) => Promise<Scene>;
}

const databases: readonly Database[] = [
  { name: "SQLite", many: 1_000_000, open: openSqlite },
  { name: "PostgreSQL", many: 300_000, open: openPostgres },
];

/** Measures finding and claiming ten due alerts, with few and with many others waiting: not due yet, or for hanging destinations. */
export async function benchDue(): Promise<string> {
  const rows: string[] = [];
  for (const { name, many, open } of databases) {
    for (const others of ["later", "due to others"] as const) {
      const [beside, besideMany] = [
        await measure(open, FEW, others),
        await measure(open, many, others),
      ];
      const cells = (["find", "walk", "claim", "commit"] as const).map(
        (part) => `${beside[part].toFixed(2)} | ${besideMany[part].toFixed(2)}`,
      );
      const ratio = (besideMany.claim / beside.claim).toFixed(1);
      rows.push(`| ${name} | ${many} | ${others} | ${cells.join(" | ")} | ${ratio} |`);
    }
  }
  return [
    `Ten due alerts: ms with ${FEW} and with many more alerts that wait; medians of ${LOOKS}`,
    "",
    "| | many | the others are | find the oldest | | walk the queues | | claim | | commit alone | | ratio of claims |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

async function measure(open: Database["open"], count: number, others: Others): Promise<Times> {
  const now = systemClock.now();
  await using scene = await open(
    waitingAlerts(count, others === "later" ? now + 864e5 : now - 1e3),
  );
  const { store } = scene;
  const times: Record<keyof Times, number[]> = { find: [], walk: [], claim: [], commit: [] };
  const check = { no: count + 1, id: "check", accountId: alice.id };
  for (let look = 0; look < LOOKS; look += 1) {
    const ids = dueAddresses.map((address) => `due-${look}-${address}`);
    await store.write(async ({ alerts }) => {
      for (const addressId of dueAddresses) {
        const to = { contactId: "ann", addressId, dueAt: now - 500 };
        await alerts.insert(anAlert(`due-${look}-${addressId}`, check, to));
      }
    });
    const time = async (part: keyof Times, work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await work();
      times[part].push(performance.now() - began);
    };
    await time("find", async () => {
      await store.alerts.msUntilDue();
      await store.alerts.listQueued(OLDEST);
    });
    await time("walk", () => store.alerts.walkQueues({ limit: OLDEST }));
    await time("commit", () => store.probeWrite());
    const claim = { leaseMs: LEASE_MS, limit: ids.length, ids, grouping };
    await time("claim", () => store.write(({ alerts }) => alerts.claim(claim)));
    await store.write(async ({ alerts }) => {
      for (const id of ids) await alerts.finishAttempt(id, { status: "delivered", at: now });
    });
  }
  return {
    find: median(times.find),
    walk: median(times.walk),
    claim: median(times.claim),
    commit: median(times.commit),
  };
}

const dueAddresses = Array.from({ length: DUE }, (_, index) => `hook-${index}`);

async function fillAccount(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.checks.insert(aCheck("check"));
    const addresses = dueAddresses.map((id) => anAddress(id, { kind: "webhook" }));
    await tx.contacts.insert(aContact("ann", { addresses }));
  });
}

/** Waiting alerts to a thousand destinations, each about a check of its own: in one statement, without the triggers that find out which is first. */
function waitingAlerts(count: number, dueAt: number): string {
  return `
    INSERT INTO notices VALUES ('{}', '{}') ON CONFLICT DO NOTHING;
    INSERT INTO alerts (id, flip_id, account_id, check_no, check_id, kind, contact_id, address_id, schedules, notice_id,
      created_at, due_at, status, attempts, next_attempt_at, retry_until, judged, possibly_sent, destination, is_first)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    SELECT 'waiting-' || (10000000 + n), 'flip-' || (10000000 + n), '${alice.id}', n, 'check', 'down', 'contact', 'address', '["All"]', '{}',
      ${dueAt}, ${dueAt}, 'waiting', 0, ${dueAt}, ${dueAt}, 0, 0, 'webhook ' || (n % 1000), 1 FROM numbers`;
}

async function openSqlite(load: string): Promise<Scene> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await dataFolder());
  const filling = await openStore(folder);
  await fillAccount(filling);
  await filling.close();
  using database = new DatabaseSync(join(folder.path, "watchpost.db"));
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'alerts'")
    .all();
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -200000;
    ${triggers.map(({ name }) => `DROP TRIGGER ${String(name)}`).join(";")};
    ${load};
    ${triggers.map((trigger) => String(trigger["sql"])).join(";")};
    PRAGMA wal_checkpoint(TRUNCATE)`);
  const store = await openStore(folder);
  opening.defer(() => store.close());
  const stack = opening.move();
  return { store, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function openPostgres(load: string): Promise<Scene> {
  await using opening = new AsyncDisposableStack();
  const { host, port, user } = opening.use(await postgres());
  const url = new Secret(`postgres://${user}@${host}:${port}/postgres`);
  const pool = createPool({ url, most: 8, answerWithinMs: 0 });
  const db = kyselyOver(pool);
  await migrate(db);
  const sealer = createSealer(new Uint8Array(32));
  const store = await openPostgresStore({ pool, clock: systemClock, sealer, log: silentLog });
  opening.defer(() => store.close());
  await fillAccount(store);
  const { rows: indexes } = await sql<{ readonly name: string; readonly made: string }>`
    SELECT indexname AS name, indexdef AS made FROM pg_indexes
    WHERE tablename = 'alerts' AND indexname NOT IN (SELECT conname FROM pg_constraint)`.execute(
    db,
  );
  for (const statement of [
    "ALTER TABLE alerts DISABLE TRIGGER USER",
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    load,
    "ALTER TABLE alerts ENABLE TRIGGER USER",
    ...indexes.map(({ made }) => made),
    "VACUUM ANALYZE alerts",
  ])
    await sql.raw(statement).execute(db);
  const stack = opening.move();
  return { store, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
