import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { fakeClock, type FakeClock } from "../../../../test/time/fake-clock.ts";
import { aCheck, alice, aResult, minute, noon } from "../../../../test/record-builders.ts";
import { countRows } from "../../../../test/stores/temp-store.ts";
import { createSealer } from "../../../kit/crypto/seal.ts";
import { silentLog } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";
import type { Store } from "../../store.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { openConnection } from "../thread/connection.ts";

const day = 24 * 60 * minute;
/** Packed in six pieces. */
const CHECKS = 150;
const RESULTS = 100;
const sealer = createSealer(randomBytes(32));

interface Scene extends AsyncDisposable {
  readonly directory: string;
  readonly clock: FakeClock;
  readonly store: Store;
  /** Events logged as errors, and counted. */
  readonly events: readonly string[];
}

/** A store on the folder, or on one of its own, which is closed and gone at the end. */
async function openScene(copied?: string): Promise<Scene> {
  const directory = copied ?? (await mkdtemp(join(tmpdir(), "watchpost-")));
  const clock = fakeClock();
  const events: string[] = [];
  const log = { ...silentLog, error: (event: string) => void events.push(event) };
  const meter: Meter = { count: (event) => void events.push(`counted ${event}`), observe() {} };
  const store = await openSqliteStore({ directory, clock, sealer, log, meter });
  return {
    directory,
    clock,
    store,
    events,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Creates a number of checks with some results each. */
async function fill({ store }: Scene, checks: number): Promise<readonly number[]> {
  const numbers = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    const nos: number[] = [];
    for (let index = 0; index < checks; index += 1)
      nos.push((await tx.checks.insert(aCheck(`check-${index}`))).no);
    return nos;
  });
  await Promise.all(
    numbers.flatMap((no) =>
      Array.from({ length: RESULTS }, (_, index) => store.append(aResult(no, noon + index))),
    ),
  );
  return numbers;
}

async function pack({ clock, store }: Scene): Promise<void> {
  await clock.advance(day);
  await store.runHousekeeping();
}

async function startsOf(
  store: Store,
  checkNo: number,
  to = Number.MAX_SAFE_INTEGER,
): Promise<readonly number[]> {
  const query = { checkNo, from: 0, to, limit: 9999, order: "oldest" } as const;
  const pages = await Array.fromAsync(store.results.page(query));
  return pages.flat().map(({ startedAt }) => startedAt);
}

const stored = Array.from({ length: RESULTS }, (_, index) => noon + index);

test("a day is packed an hour after it is over, and not before that", async () => {
  await using scene = await openScene();
  const { clock, store, directory } = scene;
  await fill(scene, 1);
  // Until 0:50, then until 1:10.
  for (const [ms, packed] of [
    [12 * 60 * minute + 50 * minute, 0],
    [20 * minute, 1],
  ] as const) {
    await clock.advance(ms);
    await store.runHousekeeping();
    assert.equal(countRows(directory, "packed_days"), packed);
  }
  assert.equal(countRows(directory, "sqlite_master WHERE name LIKE 'results_2%'"), 0);
});

test("a process that is killed while it packs has lost nothing, and the next one goes on", async () => {
  await using scene = await openScene();
  const numbers = await fill(scene, CHECKS);
  await scene.clock.advance(day);
  const packing = scene.store.runHousekeeping();
  while (countRows(scene.directory, "packed_days") === 0) await scene.store.probeWrite();
  const copy = await copyBetweenCommits(scene.directory);
  await packing;
  const interrupted = countRows(copy, "packed_days");
  assert.ok(interrupted > 0 && interrupted < CHECKS, String(interrupted));
  await using next = await openScene(copy);
  for (const no of numbers) assert.deepEqual(await startsOf(next.store, no), stored);
  for (const no of numbers) assert.equal(await runsOf(next.store, no), RESULTS);
  await pack(next);
  assert.equal(countRows(copy, "packed_days"), CHECKS);
  assert.equal(countRows(copy, "hourly_summaries"), CHECKS);
  for (const no of numbers) assert.deepEqual(await startsOf(next.store, no), stored);
  for (const no of numbers) assert.equal(await runsOf(next.store, no), RESULTS);
});

/** How many runs the summaries of a check count. */
async function runsOf(store: Store, checkNo: number): Promise<number> {
  const range = { checkNo, from: 0, to: noon + day, stepMs: 60 * minute };
  const summaries = await store.results.summaries(range);
  return summaries.reduce((sum, { summary }) => sum + summary.runs, 0);
}

async function copyBetweenCommits(directory: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "watchpost-"));
  // It waits for the commit under way.
  using database = openConnection(join(directory, "watchpost.db"));
  database.exec("BEGIN IMMEDIATE");
  await cp(directory, copy, { recursive: true });
  database.exec("ROLLBACK");
  return copy;
}

test("others read everything, and commit, while a day is packed", async () => {
  await using scene = await openScene();
  const { clock, store, directory } = scene;
  const numbers = await fill(scene, CHECKS);
  await clock.advance(day);
  let isOver = false;
  const packing = store.runHousekeeping().finally(() => {
    isOver = true;
  });
  let reads = 0;
  const packedThen = new Set<number>();
  for (; !isOver; reads += 1) {
    const no = numbers[(reads * 7) % CHECKS] ?? 0;
    await store.append(aResult(no, noon + 2 * day + reads));
    assert.deepEqual(await startsOf(store, no, noon + day), stored);
    packedThen.add(countRows(directory, "packed_days"));
  }
  await packing;
  assert.ok(packedThen.size >= 3, `seen with ${[...packedThen].join(", ")} packed`);
});

test("a day that cannot be packed stays rows and is logged, those of others are packed", async () => {
  await using scene = await openScene();
  const [odd = 0, other = 0] = await fill(scene, 2);
  await scene.store.append(aResult(odd, noon - 1, { message: "x".repeat(5 * 1024 * 1024) }));
  await pack(scene);
  assert.deepEqual(scene.events.slice(0, 2), [
    "counted store.day_not_packed",
    "store.day_not_packed",
  ]);
  assert.equal(countRows(scene.directory, "packed_days"), 1);
  assert.equal(countRows(scene.directory, "results_20260105"), RESULTS + 1);
  assert.deepEqual(await startsOf(scene.store, odd), [noon - 1, ...stored]);
  assert.deepEqual(await startsOf(scene.store, other), stored);
});

test("a packed day that is damaged is left out and logged, and the days beside it are read", async () => {
  await using scene = await openScene();
  const [no = 0] = await fill(scene, 1);
  await scene.store.append(aResult(no, noon + day));
  await pack(scene);
  await pack(scene);
  {
    using database = new DatabaseSync(join(scene.directory, "watchpost.db"));
    database.exec("UPDATE packed_days SET packed = x'01020304' WHERE results > 1");
  }
  assert.deepEqual(await startsOf(scene.store, no), [noon + day]);
  assert.ok(scene.events.includes("store.packed_day_unreadable"));
  assert.equal(await runsOf(scene.store, no), RESULTS, "the summaries have all of them");
  // Late results are not packed with unreadable ones and remain.
  await scene.store.append(aResult(no, noon - 1));
  await pack(scene);
  assert.deepEqual(await startsOf(scene.store, no), [noon - 1, noon + day]);
});
