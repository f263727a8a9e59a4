import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before } from "node:test";

import { sql, type Kysely, type PostgresPool } from "kysely";

import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { silentLog } from "../../src/kit/log.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { DAY_MS } from "../../src/store/postgres/partitions/catalog.ts";
import { createPartitions } from "../../src/store/postgres/partitions/make-partitions.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { openPostgresStore, type PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { startOfDay } from "../../src/store/results/packing.ts";
import type { Database } from "../../src/store/tables/database.ts";
import type { Store } from "../../src/store/store.ts";
import type { ContractStore } from "../contracts/store/contract-store.ts";
import { fakeClock, type FakeClock } from "../time/fake-clock.ts";
import { postgres, type Postgres } from "../servers/postgres.ts";

/** A database of its own, which goes with its server and whose clock is set by hand, and any number of stores over it: each as another process would have one. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly clock: FakeClock;
  readonly setClock: (now: number) => Promise<void>;
  readonly open: (options?: { readonly historyDays?: number }) => Promise<PostgresStore>;
  /** How many rows there are of a table. */
  readonly count: (table: string) => Promise<number>;
  readonly db: Kysely<Database>;
}

/** The server of all tests of a file, or of a suite, from before the first to after the last. */
export function testServer(): () => Postgres {
  let server: Postgres | undefined;
  before(async () => {
    server = await postgres();
  });
  after(async () => {
    if (server === undefined) return;
    await closeConnections(server);
    await server[Symbol.asyncDispose]();
  });
  return () => {
    assert.ok(server, "a server is there while tests run");
    return server;
  };
}

const sealer = createSealer(randomBytes(32));

export async function testDatabase(server: Postgres): Promise<TestDatabase> {
  const lent = connectionsOf(server).free.pop() ?? (await createDatabase(server));
  const { name, pool, db } = lent;
  const clock = fakeClock();
  const stores: Store[] = [];
  return {
    url: urlOf(behindPooler(server), name),
    clock,
    db,
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
      const own = stores.length === 0 ? keptOpen(pool) : poolOf(behindPooler(server), name);
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
      await giveBack(server, lent);
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
    count: database.count,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** A database that tests use one after the other: to make one, and to connect to it, takes longer than most of them. */
interface LentDatabase {
  readonly name: string;
  readonly pool: PostgresPool;
  readonly db: Kysely<Database>;
  /** Its tables and indexes as they were made. */
  readonly relations: string;
}

interface Connections {
  readonly administrator: Kysely<Database>;
  /** Its name, once it is made. */
  readonly template: () => Promise<string>;
  readonly pools: PostgresPool[];
  readonly free: LentDatabase[];
}

const connections = new WeakMap<Postgres, Connections>();

function connectionsOf(server: Postgres): Connections {
  const known = connections.get(server);
  if (known !== undefined) return known;
  const administrator = kyselyOver(poolOf(server, "postgres"));
  let template: Promise<string> | undefined;
  const made: Connections = {
    administrator,
    template: () => (template ??= makeTemplate(server, administrator)),
    pools: [],
    free: [],
  };
  connections.set(server, made);
  return made;
}

async function createDatabase(server: Postgres): Promise<LentDatabase> {
  const { administrator, template, pools } = connectionsOf(server);
  const name = `test_${pools.length}`;
  const pool = poolOf(behindPooler(server), name);
  pools.push(pool);
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(await template())}`.execute(
    administrator,
  );
  const db = kyselyOver(pool);
  return { name, pool, db, relations: await relationsOf(db) };
}

/** Empties it for the next test; one with other tables than it was made with is left. */
async function giveBack(server: Postgres, lent: LentDatabase): Promise<void> {
  if ((await relationsOf(lent.db)) !== lent.relations) return;
  await sql.raw(EMPTY).execute(lent.db);
  connectionsOf(server).free.push(lent);
}

async function relationsOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ names: string }>`
    SELECT string_agg(relname, ' ' ORDER BY relname) AS names FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname !~ '^results_[0-9]'`.execute(db);
  return rows[0]?.names ?? "";
}

/** To truncate a table takes longer than to delete some rows of it, and is quicker where there are many. */
const EMPTY = `
  DO $$
  DECLARE made record;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR made IN
      SELECT oid::regclass AS name, pg_relation_size(oid) AS bytes FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('test_clock', 'migrations', 'shards', 'name_locks')
    LOOP
      IF made.bytes > 65536 THEN EXECUTE format('TRUNCATE %s CASCADE', made.name);
      ELSIF made.bytes > 0 THEN EXECUTE format('DELETE FROM %s', made.name);
      END IF;
    END LOOP;
    PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
    UPDATE test_clock SET now = ${fakeClock().now()};
  END $$`;

/** For a store that is closed while its connections stay: it waits until it has given them all back. */
function keptOpen(pool: PostgresPool): PostgresPool {
  let inUse = 0;
  let released = Promise.withResolvers<void>();
  return {
    options: {},
    async connect() {
      const client = await pool.connect();
      inUse += 1;
      return {
        ...client,
        release(destroy?: boolean) {
          client.release(destroy);
          inUse -= 1;
          released.resolve();
          released = Promise.withResolvers();
        },
      };
    },
    async end() {
      while (inUse > 0) await released.promise;
    },
  };
}

async function makeTemplate(server: Postgres, administrator: Kysely<Database>): Promise<string> {
  await sql`CREATE DATABASE template_of_tests`.execute(administrator);
  const db = kyselyOver(poolOf(server, "template_of_tests"));
  await migrate(db);
  const today = startOfDay(fakeClock().now());
  await createPartitions(
    (work) => db.transaction().execute(work),
    Array.from({ length: 8 }, (_, index) => today + index * DAY_MS),
  );
  await sql`CREATE TABLE test_clock (now bigint NOT NULL)`.execute(db);
  await sql`INSERT INTO test_clock VALUES (${fakeClock().now()})`.execute(db);
  await sql`CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT now FROM test_clock'`.execute(
    db,
  );
  await db.destroy();
  return "template_of_tests";
}

let emptyDatabases = 0;

/** The URL of an empty database, which goes with its server. */
export async function emptyDatabase(server: Postgres): Promise<string> {
  const name = `empty_${(emptyDatabases += 1)}`;
  await sql`CREATE DATABASE ${sql.id(name)}`.execute(connectionsOf(server).administrator);
  return urlOf(server, name);
}

/** One of its own with the store's tables and what they begin with, which goes with its server. */
export async function migratedDatabase(server: Postgres): Promise<Kysely<Database>> {
  const { administrator, template } = connectionsOf(server);
  const name = `migrated_${(emptyDatabases += 1)}`;
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(await template())}`.execute(
    administrator,
  );
  return kyselyOver(poolOf(server, name));
}

/** Before the server stops. */
export async function closeConnections(server: Postgres): Promise<void> {
  const { administrator, pools } = connectionsOf(server);
  await Promise.all([administrator.destroy(), ...pools.map((pool) => pool.end())]);
}

function behindPooler(server: Postgres): Postgres {
  return { ...server, port: server.poolerPort ?? server.port };
}

function poolOf(server: Postgres, database: string): PostgresPool {
  return createPool({ url: new Secret(urlOf(server, database)), most: 8, answerWithinMs: 0 });
}

/** As the setting takes it. */
export function urlOf({ host, port, user }: Postgres, database: string): string {
  return `postgres://${user}@${host}:${port}/${database}`;
}
