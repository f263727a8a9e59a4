import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import type { Kysely, PostgresPool } from "kysely";

import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { silentLog } from "../../src/kit/log.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Database } from "../../src/store/queries/tables.ts";
import type { Store } from "../../src/store/store.ts";
import type { ContractStore } from "../contracts/store/contract-store.ts";
import { fakeClock } from "../time/fake-clock.ts";
import type { FakeClock } from "../time/fake-clock.ts";
import type { Postgres } from "../servers/postgres.ts";

/** A database of its own, which goes with its server and whose clock is set by hand, and any number of stores over it: each as another process would have one. */
export interface TestDatabase extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly setClock: (now: number) => Promise<void>;
  readonly open: (options?: { readonly historyDays?: number }) => Promise<Store>;
  /** How many rows there are of a table. */
  readonly count: (table: string) => Promise<number>;
}

const sealer = createSealer(randomBytes(32));
let databases = 0;

export async function testDatabase(server: Postgres): Promise<TestDatabase> {
  const name = `test_${(databases += 1)}`;
  await administer(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${await template(server)} STRATEGY file_copy`,
  );
  const clock = fakeClock();
  const stores: Store[] = [];
  const pool = poolOf(server, name);
  const db = kyselyOver(pool);
  return {
    clock,
    async setClock(now) {
      clock.step(now - clock.now());
      await sql`UPDATE test_clock SET now = ${now}`.execute(db);
    },
    async count(table) {
      const counted = sql<{
        count: number;
      }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`;
      return (await counted.execute(db)).rows[0]?.count ?? 0;
    },
    async open(options = {}) {
      const own = stores.length === 0 ? pool : poolOf(server, name);
      const store = await openPostgresStore({
        pool: own,
        clock,
        sealer,
        log: silentLog,
        ...options,
      });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      if (stores.length === 0) await db.destroy();
    },
  };
}

/** A store over a database of its own, as the contract wants it. */
export async function postgresTestStore(
  server: Postgres,
  options: { readonly historyDays?: number } = {},
): Promise<ContractStore> {
  const database = await testDatabase(server);
  const store = await database.open(options);
  return {
    ...store,
    async at(now) {
      await database.setClock(now);
      return store;
    },
    async pass(ms) {
      await database.clock.advance(ms);
      await database.setClock(database.clock.now());
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const templates = new WeakMap<Postgres, Promise<string>>();

/** Made once a server, for making the tables takes longer than most tests. */
function template(server: Postgres): Promise<string> {
  const known = templates.get(server) ?? makeTemplate(server);
  templates.set(server, known);
  return known;
}

async function makeTemplate(server: Postgres): Promise<string> {
  await administer(server, "CREATE DATABASE template_of_tests");
  const db = kyselyOver(poolOf(server, "template_of_tests"));
  await migrate(db);
  await sql`CREATE TABLE test_clock (now bigint NOT NULL)`.execute(db);
  await sql`INSERT INTO test_clock VALUES (${fakeClock().now()})`.execute(db);
  await sql`CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT now FROM test_clock'`.execute(
    db,
  );
  await db.destroy();
  return "template_of_tests";
}

const administrators = new WeakMap<Postgres, Kysely<Database>>();

async function administer(server: Postgres, statement: string): Promise<void> {
  const db = administrators.get(server) ?? kyselyOver(poolOf(server, "postgres"));
  administrators.set(server, db);
  await sql.raw(statement).execute(db);
}

/** The URL of an empty database, which goes with its server. */
export async function emptyDatabase(server: Postgres): Promise<string> {
  const name = `empty_${(databases += 1)}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return urlOf(server, name);
}

/** Before the server stops. */
export async function closeAdministrator(server: Postgres): Promise<void> {
  await administrators.get(server)?.destroy();
}

function poolOf(server: Postgres, database: string): PostgresPool {
  return createPool({ url: new Secret(urlOf(server, database)), most: 8 });
}

/** As the setting takes it. */
export function urlOf({ host, port, user }: Postgres, database: string): string {
  return `postgres://${user}@${host}:${port}/${database}`;
}
