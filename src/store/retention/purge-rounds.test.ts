import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import { kyselyOver } from "../sqlite/dialect.ts";
import { DatabaseSync } from "node:sqlite";
import { createPurgeRounds, type PurgeSource } from "./purge-rounds.ts";

/** Table with a number of rows, each of which takes a fixed time to delete. */
interface Table {
  readonly name: string;
  readonly rows: number;
  readonly rowMs: number;
  readonly error?: Error;
}

function fixture(tables: readonly Table[]) {
  const clock = fakeClock();
  const left = new Map(tables.map(({ name, rows }) => [name, rows]));
  const turns: string[] = [];
  const chunks: { readonly name: string; readonly rows: number; readonly tookMs: number }[] = [];
  const logged: unknown[] = [];
  const log: Log = {
    info() {},
    warn() {},
    error: (event, fields) => void logged.push({ event, ...fields }),
  };
  const db = kyselyOver(new DatabaseSync(":memory:"));
  const rounds = createPurgeRounds({ inTx: (work) => work(db), clock, log });
  const sources = tables.map(({ name, rowMs, error }): PurgeSource => ({
    name,
    async deleteChunk(_db, { limit }) {
      turns.push(name);
      if (error !== undefined) throw error;
      const rows = Math.min(limit, left.get(name) ?? 0);
      await clock.advance(rows * rowMs);
      left.set(name, (left.get(name) ?? 0) - rows);
      chunks.push({ name, rows, tookMs: rows * rowMs });
      return { hasMore: rows === limit };
    },
  }));
  return { run: () => rounds.run(sources), left, turns, chunks, logged };
}

test("a chunk comes to take as long as others may wait, whatever a row takes", async () => {
  for (const rowMs of [0.001, 0.05, 1]) {
    const { run, chunks } = fixture([{ name: "flips", rows: 1_000_000, rowMs }]);
    await run();
    const settled = chunks.slice(10, -1).map(({ tookMs }) => tookMs);
    assert.ok(settled.length > 5, String(settled.length));
    for (const tookMs of settled) assert.ok(tookMs <= 20, `${rowMs}: ${tookMs}`);
  }
});

test("a huge table does not starve the others: each has a turn in every round and in every turn", async () => {
  const { run, left, turns } = fixture([
    { name: "huge", rows: 1e9, rowMs: 0.1 },
    { name: "small", rows: 500, rowMs: 0.1 },
    { name: "large", rows: 5000, rowMs: 0.1 },
  ]);
  await run();
  assert.deepEqual(turns.slice(0, 3), ["huge", "small", "large"]);
  assert.equal(left.get("small"), 0);
  assert.equal(left.get("large"), 0);
  assert.ok(turns.length <= 200);
});

test("a table that cannot be purged keeps no other from it, and is logged by its name", async () => {
  const { run, left, logged } = fixture([
    { name: "broken", rows: 9, rowMs: 0, error: new Error("no such column") },
    { name: "sound", rows: 900, rowMs: 0 },
  ]);
  await run();
  await run();
  assert.equal(left.get("sound"), 0);
  const failure = { event: "store.purge_failed", table: "broken", error: "no such column" };
  assert.deepEqual(logged, [failure, failure]);
});

test("a store that cannot commit ends the round", async () => {
  const { run, turns, logged } = fixture([
    { name: "first", rows: 9, rowMs: 0, error: new Unavailable("the disk is full") },
    { name: "second", rows: 9, rowMs: 0 },
  ]);
  await assert.rejects(run(), { code: "unavailable" });
  assert.deepEqual([turns, logged], [["first"], []]);
});
