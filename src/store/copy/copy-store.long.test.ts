import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { sql, type Kysely } from "kysely";

import { aResult, noon } from "../../../test/record-builders.ts";
import { postgres, type Postgres } from "../../../test/servers/postgres.ts";
import { closeConnections, emptyDatabase } from "../../../test/stores/postgres-store.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { silentLog } from "../../kit/log.ts";
import { openPostgresEnd } from "../postgres/copy-end.ts";
import { openDatabase } from "../postgres/open-database.ts";
import type { Database } from "../tables/database.ts";
import { openSqliteEnd } from "../sqlite/copy-end.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { copiedTables, rebuiltTables } from "./copied-tables.ts";
import type { CopyEnd } from "./copy-end.ts";
import { copyStore } from "./copy-store.ts";

const sealer = createSealer(new Uint8Array(32).fill(7));
const sealedTarget = sealer.seal('"https://example.com/"');
/** More than a page. */
const ROWS = 601;
const CHECKS_WITH_RESULTS = 2;
const RESULTS_OF_A_CHECK = 600;

let server: Postgres | undefined;
let folders: string;
/** An installation with rows of every table. */
let original: CopyEnd;
before(async () => {
  folders = await mkdtemp(join(tmpdir(), "watchpost-"));
  server = await postgres();
  original = sqlite("original");
  await fill(original);
});
after(async () => {
  await original.close();
  await rm(folders, { recursive: true });
  if (server === undefined) return;
  await closeConnections(server);
  await server[Symbol.asyncDispose]();
});

function sqlite(name: string): CopyEnd {
  return openSqliteEnd(join(folders, name), sealer);
}

async function postgresUrl(): Promise<Secret> {
  assert.ok(server);
  return new Secret(await emptyDatabase(server));
}

/** The columns that refer to a row of another table: the same for the same row everywhere. */
const ids: Readonly<Record<string, string>> = {
  "accounts.id": "account",
  account_id: "account",
  "contacts.id": "contact",
  contact_id: "contact",
  "alerts.id": "alert",
  alert_id: "alert",
  "status_pages.id": "page",
  page_id: "page",
  "incidents.id": "incident",
  incident_id: "incident",
  "page_posts.id": "post",
  post_id: "post",
  "page_subscribers.id": "subscriber",
  subscriber_id: "subscriber",
};
const numbers = new Set(["no", "seq", "check_no", "maintenance_seq", "day"]);

async function fill(end: CopyEnd): Promise<void> {
  for (const { table } of copiedTables) {
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select name, type from pragma_table_xinfo(${table}) where hidden = 0`.execute(end.db);
    const rows = Array.from({ length: ROWS }, (_, index) =>
      Object.fromEntries(
        columns.map(({ name, type }) => [name, valueOf(`${table}.${name}`, type, index + 1)]),
      ),
    );
    for (let from = 0; from < ROWS; from += 400)
      await end.insert(end.db, { table, rows: rows.slice(from, from + 400) });
  }
  await sql`insert into meta values ('alerts_alive_at', '1000')`.execute(end.db);
  for (let checkNo = 1; checkNo <= CHECKS_WITH_RESULTS; checkNo += 1)
    await end.append(
      Array.from({ length: RESULTS_OF_A_CHECK }, (_, index) =>
        aResult(checkNo, noon + index * 60_000, {
          text: `Ω ${index % 7}`,
          timings: index % 2 === 0 ? { dns: 0.5, total: 12.5 } : undefined,
        }),
      ),
    );
  // A table never gives a number again, also where the row is gone.
  await end.setLastNumber("checks", ROWS + 100);
}

function valueOf(column: string, type: string, no: number): string | number | Uint8Array | null {
  const [, name = ""] = column.split(".");
  if (column === "accounts.parent_id") return no <= ROWS / 2 ? null : "account 1";
  // Their check is the first alert of an address, and waits.
  if (column === "alerts.status") return no % 2 === 0 ? "waiting" : "delivered";
  const of = ids[column] ?? ids[name];
  if (of !== undefined) return `${of} ${no}`;
  if (numbers.has(name)) return no;
  if (column === "alerts.is_first") return 0;
  if (column === "tokens.compatibility") return no % 2 === 0 ? "standard" : "legacy";
  if (column === "tokens.access") return no % 2 === 0 ? "write" : "read";
  // Column needed to read a result.
  if (name === "sealed_target") return sealedTarget;
  if (type === "BLOB") return Uint8Array.of(0, no % 256, 255);
  if (type === "REAL") return no + 0.25;
  if (type === "INTEGER") return no % 2;
  return `${name} ${no} Ω\u{1F6A8}'"\\`;
}

async function countOf(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}

suite("a copy of an installation", () => {
  test("has every row, result and number, on PostgreSQL and back on SQLite", async () => {
    const there = await openPostgresEnd(await postgresUrl(), sealer);
    const back = sqlite("back");
    const named: string[] = [];
    const first = await copyStore({ source: original, target: there }, ({ name }) =>
      named.push(name),
    );
    assert.deepEqual(named, [...copiedTables.map(({ table }) => table), "results"]);
    assert.deepEqual(
      first.map(({ rows }) => rows),
      [...copiedTables.map(() => ROWS), CHECKS_WITH_RESULTS * RESULTS_OF_A_CHECK],
    );
    const second = await copyStore({ source: there, target: back }, () => {});
    assert.deepEqual(second, first);
    assert.equal((await there.lastNumbers()).get("checks"), ROWS + 100);
    assert.equal((await back.lastNumbers()).get("checks"), ROWS + 100);
    for (const end of [there, back]) {
      const { rows } = await sql<{ value: string }>`
        select value from meta where key = 'alerts_alive_at'`.execute(end.db);
      assert.deepEqual(
        rows.map(({ value }) => value),
        ["1000"],
      );
      const inLine = sql`select id from alerts where is_first = 1`;
      assert.equal((await inLine.execute(end.db)).rows.length, Math.floor(ROWS / 2));
    }
    // Notifiers lock these rows to claim alerts.
    assert.equal(await countOf(there.db, "lanes"), ROWS);
    await there.close();
    await back.close();
  });

  for (const { to, stopsIn } of [
    { to: "SQLite", stopsIn: "a table" },
    { to: "SQLite", stopsIn: "the results" },
    { to: "PostgreSQL", stopsIn: "a table" },
    { to: "PostgreSQL", stopsIn: "the results" },
  ])
    test(`on ${to} goes on where it was stopped in ${stopsIn}, and is refused by a service until then`, async () => {
      const url = await postgresUrl();
      const folder = join(folders, `resumed after ${stopsIn}`);
      const open = async (): Promise<CopyEnd> =>
        to === "SQLite" ? openSqliteEnd(folder, sealer) : openPostgresEnd(url, sealer);
      const target = await open();
      let calls = 0;
      const stopping: CopyEnd = {
        ...target,
        async insert(connection, rows) {
          await target.insert(connection, rows);
          calls += rows.table === "alerts" ? 1 : 0;
          if (stopsIn === "a table" && calls === 2) throw new Error("the power is off");
        },
        async append(results) {
          await target.append(results);
          calls += 1;
          if (stopsIn === "the results" && calls > 4) throw new Error("the power is off");
        },
      };
      await assert.rejects(
        copyStore({ source: original, target: stopping }, () => {}),
        {
          message: "the power is off",
        },
      );
      const start = async (): Promise<unknown> => {
        const options = { clock: fakeClock(), sealer, log: silentLog };
        await target.close();
        if (to === "PostgreSQL") return openDatabase({ ...options, url, connections: 2 });
        return openSqliteStore({ ...options, directory: folder });
      };
      await assert.rejects(start(), { message: /^the database is an unfinished copy: finish it/ });
      let inserted = 0;
      const again = await open();
      const rest: CopyEnd = {
        ...again,
        insert(connection, rows) {
          if (rows.table === "accounts") inserted += rows.rows.length;
          return again.insert(connection, rows);
        },
      };
      const parts = await copyStore({ source: original, target: rest }, () => {});
      assert.equal(inserted, 0);
      assert.equal(parts.at(-1)?.rows, CHECKS_WITH_RESULTS * RESULTS_OF_A_CHECK);
      await again.close();
    });

  for (const { what, change } of [
    { what: "a row that differs", change: "update contacts set name = 'other' where seq = 600" },
    { what: "a row that is not there", change: "delete from gaps where seq = 600" },
    { what: "a row of its own", change: "insert into alert_mails values ('x', 1, 1)" },
    { what: "a secret that differs", change: "update checks set parameters = x'00' where no = 1" },
  ])
    test(`with ${what} is found`, async () => {
      const target = sqlite(what);
      const changing: CopyEnd = {
        ...target,
        async finish() {
          await target.finish();
          await sql.raw(change).execute(target.db);
        },
      };
      await assert.rejects(
        copyStore({ source: original, target: changing }, () => {}),
        { message: /^the copy differs in (contacts|gaps|alert_mails|checks): / },
      );
      await target.close();
    });

  test("does not touch a target that has accounts", async () => {
    const target = sqlite("used");
    const [account] = copiedTables;
    assert.equal(account?.table, "accounts");
    await sql`insert into accounts (id, name, status, created_at, time_zone, default_regions, wants_news, suppress_all, auto_diagnostics)
      values ('own', '', 'active', 0, '', '', 0, 0, 0)`.execute(target.db);
    await assert.rejects(
      copyStore({ source: original, target }, () => {}),
      {
        message: "the target has accounts of its own: copy into an empty one",
      },
    );
    assert.equal(await countOf(target.db, "accounts"), 1);
    await target.close();
  });

  test("knows every table", async () => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'result%'`.execute(
      original.db,
    );
    assert.deepEqual(
      rows.map(({ name }) => name).toSorted(),
      [...copiedTables.map(({ table }) => table), ...Object.keys(rebuiltTables)].toSorted(),
    );
  });
});
