import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { aResult } from "../../../test/record-builders.ts";
import { codeOf } from "../../kit/errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { GroupCommit } from "./group-commit.ts";

function setUp(sync: () => Promise<void> = () => Promise.resolve()) {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE kept (word TEXT NOT NULL UNIQUE) STRICT");
  const batches: number[] = [];
  const commits = createGroupCommit({
    database,
    sync,
    writeResults: (results) => batches.push(results.length),
    committed() {},
    durable() {},
  });
  const words = (): readonly unknown[] =>
    database
      .prepare("SELECT word FROM kept ORDER BY word")
      .all()
      .map(({ word }) => word);
  const insert = (word: string): void => {
    database.prepare("INSERT INTO kept VALUES (?)").run(word);
  };
  return { database, commits, batches, words, insert };
}

/** One turn of the loop, in which what waits is committed. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function write(
  commits: GroupCommit,
  run: () => void | Promise<void>,
  committed: () => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    commits.add({ run: async () => run(), results: [aResult(1, 0)], committed, resolve, reject });
  });
}

test("units that wait at the same time share one commit", async () => {
  const { commits, batches, words, insert } = setUp();
  await Promise.all(["a", "b", "c"].map((word) => write(commits, () => insert(word))));
  assert.deepEqual(words(), ["a", "b", "c"]);
  assert.deepEqual(batches, [3]);
});

test("a unit that throws leaves nothing behind and takes no neighbour along", async () => {
  const { commits, words, insert } = setUp();
  const ended = await Promise.allSettled([
    write(commits, () => insert("a")),
    write(commits, () => {
      insert("b");
      throw new Error("no");
    }),
    write(commits, () => insert("c")),
    write(commits, () => insert("a")),
  ]);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "rejected"],
  );
  assert.deepEqual(words(), ["a", "c"]);
  assert.equal(commits.writeError(), undefined);
});

test("nothing is acknowledged before the sync has ended", async () => {
  const disk = Promise.withResolvers<void>();
  const { commits, words, insert } = setUp(() => disk.promise);
  let acknowledged = false;
  const written = write(commits, () => insert("a")).then(() => {
    acknowledged = true;
  });
  while (words().length === 0) await turn();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  assert.equal(acknowledged, false);
  disk.resolve();
  await written;
});

test("what arrives during a sync shares the next commit", async () => {
  const disk = Promise.withResolvers<void>();
  let syncs = 0;
  const { commits, batches, insert } = setUp(() => {
    syncs += 1;
    return syncs === 1 ? disk.promise : Promise.resolve();
  });
  const first = write(commits, () => insert("a"));
  while (syncs === 0) await turn();
  const others = ["b", "c", "d"].map((word) => write(commits, () => insert(word)));
  disk.resolve();
  await Promise.all([first, ...others]);
  assert.deepEqual(batches, [1, 3]);
});

test("a disk that did not confirm a write ends all writing, for nobody knows what it holds", async () => {
  const { commits, insert } = setUp(() => Promise.reject(new Error("EIO")));
  await assert.rejects(
    write(commits, () => insert("a")),
    (error) => codeOf(error) === "unavailable",
  );
  await assert.rejects(
    write(commits, () => insert("b")),
    (error) => codeOf(error) === "unavailable",
  );
  assert.match(String(commits.writeError()), /EIO/);
});

test("a full database refuses the whole batch, says so, and works again once there is room", async () => {
  const { database, commits, words, insert } = setUp();
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() ?? {};
  database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
  const committed: string[] = [];
  const ended = await Promise.allSettled([
    write(
      commits,
      () => insert("small"),
      () => committed.push("small"),
    ),
    write(commits, () => insert("x".repeat(100_000))),
  ]);
  for (const end of ended)
    assert.equal(end.status === "rejected" && codeOf(end.reason), "unavailable");
  assert.deepEqual([words(), committed], [[], []]);
  assert.match(String(commits.writeError()), /full/);
  database.exec("PRAGMA max_page_count = 100000");
  await write(commits, () => insert("small"));
  assert.deepEqual(words(), ["small"]);
  assert.equal(commits.writeError(), undefined);
});

test("while it is paused nothing is committed, and afterwards everything that waited is", async () => {
  const { commits, words, insert } = setUp();
  const task = Promise.withResolvers<void>();
  const paused = commits.whilePaused(() => task.promise);
  const written = write(commits, () => insert("a"));
  for (let turns = 0; turns < 10; turns += 1) await turn();
  assert.deepEqual(words(), []);
  task.resolve();
  await Promise.all([paused, written]);
  assert.deepEqual(words(), ["a"]);
});
