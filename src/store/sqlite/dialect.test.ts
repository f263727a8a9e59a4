import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { migrate } from "./migrate.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import { systemClock } from "../../kit/clock.ts";
import { kyselyOver } from "./dialect.ts";

test("queries read, write, return what they wrote and count what they changed", async () => {
  using database = new DatabaseSync(":memory:");
  migrate(database);
  const db = kyselyOver(database);
  const inserted = await db
    .insertInto("meta")
    .values({ key: "a", value: "1" })
    .returning("key")
    .executeTakeFirst();
  assert.equal(inserted?.key, "a");
  const updated = await db
    .updateTable("meta")
    .set({ value: "2" })
    .where("key", "=", "a")
    .executeTakeFirst();
  assert.equal(updated.numUpdatedRows, 1n);
  const read = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", "a")
    .executeTakeFirst();
  assert.equal(read?.value, "2");
});

test("a statement is prepared once for each text, and a list of any length does not hoard them", async () => {
  using database = new DatabaseSync(":memory:");
  migrate(database);
  let prepared = 0;
  const counting = new Proxy(database, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name);
      return (sql: string) => {
        prepared += 1;
        return target.prepare(sql);
      };
    },
  });
  const db = kyselyOver(counting);
  const read = (keys: number): Promise<unknown> =>
    db
      .selectFrom("meta")
      .select("value")
      .where("key", "in", Array.from({ length: keys }, String))
      .execute();
  for (const keys of [1, 2, 1, 2, 1]) await read(keys);
  assert.equal(prepared, 2);
  for (let keys = 1; keys <= 600; keys += 1) await read(keys);
  assert.equal(prepared, 600);
  await read(600);
  assert.equal(prepared, 600);
  await read(1);
  assert.equal(prepared, 601);
});

/** How often the event loop turns until the work is done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  return turns;
}

/** They take many turns on any machine. */
const READS = 20_000;

test("whoever reads over and over lets the event loop turn", async () => {
  await using store = await tempStore({ clock: systemClock });
  const turns = await turnsDuring(async () => {
    for (let read = 0; read < READS; read += 1) await store.accounts.find("nobody");
  });
  assert.ok(turns > 5, String(turns));
});

test("a unit of many statements lets the event loop turn", async () => {
  await using store = await tempStore({ clock: systemClock });
  let turns = 0;
  await store.write(async (tx) => {
    turns = await turnsDuring(async () => {
      for (let read = 0; read < READS; read += 1) await tx.accounts.find("nobody");
    });
  });
  assert.ok(turns > 5, String(turns));
});
