import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

import manifest from "../../package.json" with { type: "json" };
import { slowestFiles } from "./slowest.ts";
import {
  allTestFiles,
  alone,
  batches,
  changesProcess,
  first,
  isIn,
  processesFor,
  root,
  suiteOf,
  suites,
  undisturbed,
  type Suite,
} from "./batches.ts";

const files = allTestFiles();

/** Returns the processes of a suite, with the files of a batch that each one runs. */
function executedBy(suite: Suite): readonly string[] {
  return processesFor(allTestFiles(suite)).flatMap((file) => {
    const folders = batches[basename(file, ".ts")];
    return file.startsWith("test/batches/") && folders !== undefined
      ? allTestFiles(suite).filter((each) => isIn(each, folders))
      : [file];
  });
}

test("every test file of the repository belongs to one suite, which runs it once, in its batch or in a process of its own", () => {
  const exclude = (path: string): boolean => basename(path) === "node_modules";
  const there = globSync("**/*.test.ts", { cwd: root, exclude });
  assert.deepEqual(suites.flatMap(executedBy).toSorted(), there.toSorted());
  for (const suite of suites)
    assert.deepEqual(
      executedBy(suite).filter((file) => suiteOf(file) !== suite),
      [],
    );
});

test("a suite is run by its own command, and continuous integration runs both", () => {
  const { test: quick, "test:long": long } = manifest.scripts;
  assert.match(quick, /test\/run\.ts quick$/);
  assert.match(long, /test\/run\.ts long$/);
  assert.equal(manifest.scripts["pretest:long"], manifest.scripts.pretest);
  const commands = readFileSync(join(root, ".ci/run"), "utf8").match(/^npm .*$/gm);
  assert.deepEqual(commands, ["npm run static", "npm test", "npm run test:long"]);
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
  const processes = new Set(suites.flatMap((suite) => processesFor(allTestFiles(suite))));
  assert.deepEqual([...first.difference(processes)], []);
  assert.deepEqual([...undisturbed.difference(processes)], []);
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
