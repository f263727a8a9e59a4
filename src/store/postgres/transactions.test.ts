import assert from "node:assert/strict";
import { test } from "node:test";

import { sql, type PostgresCursor, type PostgresPool, type PostgresQueryResult } from "kysely";

import { emptyDatabase, testServer } from "../../../test/stores/postgres-store.ts";
import { systemClock } from "../../kit/clock.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { settleAll } from "../../kit/settle-all.ts";
import { kyselyOver } from "./dialect.ts";
import { createPool } from "./pool.ts";
import { createTransactions } from "./transactions.ts";

const server = testServer();

/** Units over a pool that counts the statements that have been sent and not answered. */
async function scene() {
  const real = createPool({ url: new Secret(await emptyDatabase(server())), most: 1 });
  let [unanswered, most] = [0, 0];
  const pool: PostgresPool = {
    ...real,
    async connect() {
      const client = await real.connect();
      function query<Row>(
        text: string,
        values: readonly unknown[],
      ): Promise<PostgresQueryResult<Row>>;
      function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
      function query<Row>(
        asked: string | PostgresCursor<Row>,
        values: readonly unknown[] = [],
      ): PostgresCursor<Row> | Promise<PostgresQueryResult<Row>> {
        if (typeof asked !== "string") throw new Error("units read without cursors");
        most = Math.max(most, (unanswered += 1));
        return client.query<Row>(asked, values).finally(() => (unanswered -= 1));
      }
      return { query, release: () => client.release() };
    },
  };
  const db = kyselyOver(pool);
  const days = { again: <Value>(work: () => Promise<Value>) => work() };
  return {
    units: createTransactions({ db, pool, clock: systemClock, days }),
    mostUnanswered: () => most,
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

test("what a unit asks together is sent without waiting, BEGIN included, and answered in that order", async () => {
  await using site = await scene();
  const answers = await site.units.run([], (unit) =>
    settleAll(
      sql`create temporary table seen as select 1 as seen`.execute(unit),
      sql`insert into seen values (2)`.execute(unit),
      sql<{ count: number }>`select count(*)::int as count from seen`.execute(unit),
    ),
  );
  assert.deepEqual(answers[2].rows, [{ count: 2 }]);
  assert.equal(site.mostUnanswered(), 4);
});

test("where one of them fails the unit fails with its error, and nothing of it is stored", async () => {
  await using site = await scene();
  await site.units.run([], (unit) => sql`create table kept (value int)`.execute(unit));
  const failing = site.units.run([], (unit) =>
    settleAll(
      sql`insert into kept values (1)`.execute(unit),
      sql`select 1 / 0`.execute(unit),
      sql`insert into kept values (2)`.execute(unit),
    ),
  );
  await assert.rejects(failing, { code: "22012" });
  const { rows } = await site.units.run([], (unit) => sql`select * from kept`.execute(unit));
  assert.deepEqual(rows, []);
});
