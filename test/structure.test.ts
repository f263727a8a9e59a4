import assert from "node:assert/strict";
import { test } from "node:test";

import { readSources, reportOf, structureOf, type Sources } from "../scripts/structure.ts";

const lines = (count: number): string => "x;\n".repeat(count);

const sources: Sources = new Map([
  ["src/main.ts", 'import { a } from "./a/a.ts";\n'],
  ["src/a/a.ts", 'import { b } from "./b.ts";\nimport type { C } from "./c.ts";\n'],
  ["src/a/b.ts", 'import { d } from "./deep/er/d.ts";\n'],
  ["src/a/b.test.ts", 'import { b } from "./b.ts";\nimport "./c.ts";\n'],
  ["src/a/c.ts", lines(60)],
  ["src/a/deep/er/d.ts", lines(4)],
]);

test("files, folders and lines are counted without tests", () => {
  const { files, folders, lines: counted, medianLines, p90Lines } = structureOf(sources);
  assert.deepEqual([files, folders, counted, medianLines, p90Lines], [5, 3, 68, 2, 60]);
});

test("the path in most folders is the deepest", () => {
  assert.equal(structureOf(sources).deepestPath, "src/a/deep/er/d.ts");
});

test("a file that one file beside it imports is found, whatever its tests import", () => {
  assert.deepEqual(structureOf(sources).satellites, ["src/a/b.ts", "src/a/c.ts"]);
  assert.deepEqual(structureOf(sources).shortSatellites, ["src/a/b.ts"]);
});

test("an importer in another folder, or a second one, makes a file no satellite", () => {
  const more = new Map([...sources, ["src/a/e.ts", 'await import("./c.ts");\n']]);
  assert.deepEqual(structureOf(more).satellites, ["src/a/b.ts"]);
});

test("a folder of fewer than three files is found, tests included, unless it has folders of its own", () => {
  assert.deepEqual(structureOf(sources).smallFolders, ["src/a/deep/er"]);
});

test("the report names what may be merged, by folder", () => {
  const report = reportOf(structureOf(sources));
  assert.match(report, /^ +5 {2}files without tests$/m);
  assert.match(report, /^ +4 {2}folders of the deepest path, src\/a\/deep\/er\/d\.ts$/m);
  assert.match(report, /^1 folders have fewer than 3 files:\n {2}src\/a\/deep\/er$/m);
  assert.match(report, /^1 files have fewer than 60 lines.*:\n {2}src\/a: b\.ts$/m);
});

test("the sources of the program are read", () => {
  const { files, folders } = structureOf(readSources());
  assert.ok(files > 300 && folders > 40, `${files} files in ${folders} folders`);
});
