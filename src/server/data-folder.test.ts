import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { secureDataFolder } from "./data-folder.ts";

function dataFolder(mode: number, files: Readonly<Record<string, number>> = {}) {
  const path = mkdtempSync(join(tmpdir(), "watchpost-data-"));
  for (const [name, mode] of Object.entries(files)) {
    writeFileSync(join(path, name), "");
    chmodSync(join(path, name), mode);
  }
  chmodSync(path, mode);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

const modeOf = (...path: readonly string[]): string =>
  (statSync(join(...path)).mode & 0o7777).toString(8);

function secure(path: string): readonly (object | undefined)[] {
  const warned: (object | undefined)[] = [];
  secureDataFolder(path, { warn: (event, fields) => void warned.push({ event, ...fields }) });
  return warned;
}

for (const mode of [0o777, 0o770, 0o1777, 0o2775]) {
  // guard: the data folder
  test(`a folder of mode ${mode.toString(8)} that is only Watchpost's is made private, with a word`, () => {
    using folder = dataFolder(mode, { "watchpost.db": 0o600, "instance.key": 0o600 });
    const from = mode.toString(8).padStart(4, "0");
    assert.deepEqual(secure(folder.path), [
      { event: "app.permissions_corrected", path: folder.path, from, to: "0700" },
    ]);
    assert.equal(modeOf(folder.path), "700");
    assert.deepEqual(secure(folder.path), []);
  });
}

test("what upgrades and restores kept in a folder does not make it somebody else's", () => {
  using folder = dataFolder(0o770, { "watchpost.db": 0o600 });
  for (const name of [
    "before-0002-packs",
    "before-0003-more.unfinished",
    "replaced-2026-11-23T07-10-00",
  ])
    mkdirSync(join(folder.path, name), { mode: 0o700 });
  assert.equal(secure(folder.path).length, 1);
  assert.equal(modeOf(folder.path), "700");
  assert.equal(modeOf(folder.path, "before-0002-packs"), "700");
});

test("a folder that others write to and that has other files is refused, and left as it is", () => {
  using folder = dataFolder(0o777, { "holiday.jpg": 0o644 });
  assert.throws(() => secure(folder.path), {
    code: "conflict",
    message:
      /^other users can write to the data folder ".*" \(mode 0777\), and it contains "holiday\.jpg".* chmod 700 it, or set WATCHPOST_DATA/,
  });
  assert.equal(modeOf(folder.path), "777");
});

test("a folder of another user is refused", () => {
  using folder = dataFolder(0o700);
  chownSync(folder.path, 65_534, 65_534);
  assert.throws(() => secure(folder.path), {
    code: "conflict",
    message: /^the data folder ".*" belongs to the user 65534, /,
  });
});

// guard: files of other users
test("a file of another user is refused, even where the folder can be made private", () => {
  using folder = dataFolder(0o777, { "watchpost.db": 0o600, "instance.key": 0o600 });
  chownSync(join(folder.path, "instance.key"), 65_534, 65_534);
  assert.throws(() => secure(folder.path), {
    code: "conflict",
    message: /instance\.key" belongs to the user 65534, .*\(chown -h 0\)$/,
  });
});

// guard: links in the data folder
test("what a link in the folder leads to keeps its mode, and a link of another user is refused", () => {
  using folder = dataFolder(0o777);
  using elsewhere = dataFolder(0o755, { file: 0o644 });
  const link = join(folder.path, "watchpost.db-journal");
  symlinkSync(join(elsewhere.path, "file"), link);
  assert.equal(secure(folder.path).length, 1);
  assert.equal(modeOf(elsewhere.path, "file"), "644");
  lchownSync(link, 65_534, 65_534);
  assert.throws(() => secure(folder.path), { code: "conflict", message: /db-journal" belongs/ });
});

// guard: files of the data folder
test("files of a backup that others can read are made private, with a word, and other files are left", () => {
  using folder = dataFolder(0o755, { "watchpost.db": 0o644, "instance.key": 0o640, notes: 0o644 });
  assert.equal(secure(folder.path).length, 2);
  assert.deepEqual(
    ["watchpost.db", "instance.key", "notes"].map((name) => modeOf(folder.path, name)),
    ["600", "600", "644"],
  );
});

test("a folder that is not there yet, or is private, is left as it is", () => {
  using folder = dataFolder(0o700, { "watchpost.db": 0o600 });
  assert.deepEqual(secure(folder.path), []);
  assert.deepEqual(secure(join(folder.path, "data")), []);
});
