import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

import { slowestFiles } from "./slowest.ts";
import {
  alone,
  batches,
  changesProcess,
  first,
  isIn,
  processesFor,
  root,
  testFiles,
} from "./batches.ts";

const files = testFiles(["src/**/*.test.ts", "test/**/*.test.ts", "scoreboard/**/*.test.ts"]);

test("every test file runs once, in its batch or in a process of its own", () => {
  const processes = processesFor(files);
  const run = processes.flatMap((file) => {
    const folders = batches[basename(file, ".ts")];
    return file.startsWith("test/batches/") && folders !== undefined
      ? files.filter((each) => isIn(each, folders))
      : [file];
  });
  assert.deepEqual(run.toSorted(), files.toSorted());
});

test("every batch has a file that runs it, and runs some files", () => {
  const paths = globSync("test/batches/*.ts", { cwd: root });
  const scripts = new Set(paths.map((file) => basename(file, ".ts")));
  for (const [name, folders] of Object.entries(batches)) {
    assert.ok(scripts.has(name), name);
    for (const folder of folders)
      assert.ok(
        files.some((file) => isIn(file, [folder])),
        folder,
      );
  }
});

test("what changes its process runs alone", () => {
  const folders = Object.values(batches).flat();
  const changing = files
    .filter((file) => isIn(file, folders))
    .filter((file) => changesProcess.test(readFileSync(join(root, file), "utf8")));
  assert.deepEqual(changing, []);
  assert.match("setDefaultCACertificates([]);", changesProcess);
});

test("what runs alone is there, and what runs first", () => {
  assert.deepEqual([...alone.difference(new Set(files))], []);
  assert.deepEqual([...first.difference(new Set(processesFor(files)))], []);
});

test("without its batch's folders a file has a process of its own, and a batch without files has none", () => {
  assert.deepEqual(processesFor(["src/api/passwords.test.ts", "test/install.test.ts"]), [
    "test/batches/api.ts",
    "test/install.test.ts",
  ]);
  const [long = ""] = alone;
  assert.deepEqual(processesFor([long]), [long]);
});

test("what took longest is listed by file, also of a batch", () => {
  const completed = (name: string, duration_ms: number, nesting = 0) => ({
    name,
    nesting,
    details: { duration_ms },
  });
  const listed = slowestFiles(
    [
      completed("src/a.test.ts", 1000),
      completed(join(root, "test/b.test.ts"), 12_300),
      completed(join(root, "test/batches/api.ts"), 99_000),
      completed("a test", 50_000),
      completed("src/a.test.ts", 70_000, 1),
    ],
    new Set(["src/a.test.ts", "test/b.test.ts"]),
  );
  assert.deepEqual(listed, ["    12 s  test/b.test.ts", "     1 s  src/a.test.ts"]);
});
