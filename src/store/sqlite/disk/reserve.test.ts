import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import {
  isDiskFull,
  MEGABYTE,
  prepareReserve,
  releaseReserve,
  reserveBytes,
  restoreReserve,
  withReserve,
} from "./reserve.ts";

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "watchpost-reserve-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });

test("a reserve is made once, takes up real space, and follows its setting", () => {
  using folder = temporaryFolder();
  assert.equal(prepareReserve(folder.path, 2 * MEGABYTE), 2 * MEGABYTE);
  const { ino, blocks } = statSync(join(folder.path, "reserve"));
  assert.ok(blocks * 512 >= 2 * MEGABYTE);
  prepareReserve(folder.path, 2 * MEGABYTE);
  assert.equal(statSync(join(folder.path, "reserve")).ino, ino);
  assert.equal(prepareReserve(folder.path, undefined), 2 * MEGABYTE);
  assert.equal(prepareReserve(folder.path, MEGABYTE), MEGABYTE);
  assert.equal(reserveBytes(folder.path), MEGABYTE);
  assert.equal(prepareReserve(folder.path, 0), 0);
  assert.equal(reserveBytes(folder.path), 0);
});

test("a reserve for which there is no room is not begun", () => {
  using folder = temporaryFolder();
  const made = prepareReserve(folder.path, MEGABYTE);
  assert.equal(made, MEGABYTE);
  assert.equal(restoreReserve(folder.path, Number.MAX_SAFE_INTEGER / 4), false, "there is no room");
  assert.equal(reserveBytes(folder.path), MEGABYTE, "what is left of it stays");
});

test("it is given up in eight parts, and made again", () => {
  using folder = temporaryFolder();
  const bytes = 16 * MEGABYTE;
  prepareReserve(folder.path, bytes);
  const parts: number[] = [];
  for (let part = -1; part !== 0; parts.push(part)) part = releaseReserve(folder.path, bytes);
  assert.deepEqual(parts, [...Array.from({ length: 8 }, () => 2 * MEGABYTE), 0]);
  assert.equal(statSync(join(folder.path, "reserve"), { throwIfNoEntry: false }), undefined);
  assert.equal(restoreReserve(folder.path, bytes), true);
  assert.equal(reserveBytes(folder.path), bytes);
});

test("a task is tried again with each part, and fails once there is none left or for another reason", () => {
  using folder = temporaryFolder();
  prepareReserve(folder.path, 4 * MEGABYTE);
  const use = { directory: folder.path, bytes: 4 * MEGABYTE };
  let tries = 0;
  const task = (): string => {
    tries += 1;
    if (tries < 3) throw new Error("not opened", { cause: full });
    return "done";
  };
  assert.equal(withReserve(use, task), "done");
  assert.equal(reserveBytes(folder.path), 2 * MEGABYTE);
  const other = new Error("something else");
  assert.throws(
    () =>
      withReserve(use, () => {
        throw other;
      }),
    other,
  );
  assert.equal(reserveBytes(folder.path), 2 * MEGABYTE);
  assert.throws(
    () =>
      withReserve(use, () => {
        throw full;
      }),
    full,
  );
  assert.equal(reserveBytes(folder.path), 0);
});

test("what an interrupted start left of an unfinished reserve is replaced", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "reserve.unfinished"), "half of it");
  prepareReserve(folder.path, MEGABYTE);
  assert.equal(reserveBytes(folder.path), MEGABYTE);
  assert.equal(
    statSync(join(folder.path, "reserve.unfinished"), { throwIfNoEntry: false }),
    undefined,
  );
});

test("only a full disk is one", () => {
  assert.equal(isDiskFull(full), true);
  assert.equal(isDiskFull(Object.assign(new Error("index of the log"), { errcode: 4874 })), true);
  for (const error of [
    undefined,
    "full",
    new Error("full"),
    Object.assign(new Error(), { errcode: 10 }),
  ])
    assert.equal(isDiskFull(error), false);
});
