import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { aCheck, alice, aResult, noon } from "../record-builders.ts";
import { tempStore } from "../stores/temp-store.ts";

/** Returns transactions in a source that use the store itself: the arguments of `store.write(...)`. */
function unitsThatNameTheStore(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:\w*[sS]tore)\.write\(/g)]
    .map(({ index, 0: call }) => unitAt(source, index + call.length))
    .filter((unit) => /\b(?:\w*[sS]tore)\.[a-z]/.test(unit));
}

function unitAt(source: string, start: number): string {
  let open = 1;
  let end = start;
  for (; open > 0 && end < source.length; end += 1) {
    if (source[end] === "(") open += 1;
    if (source[end] === ")") open -= 1;
  }
  return source.slice(start, end);
}

test("no unit in the sources names the store", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const sources = files.map((file) => ({ file, source: readFileSync(file, "utf8") }));
  assert.ok(sources.filter(({ source }) => source.includes("store.write(")).length > 10);
  for (const { file, source } of sources) assert.deepEqual(unitsThatNameTheStore(source), [], file);
});

test("a unit that names the store is found", () => {
  const planted = `await store.write(async (tx) => {
    const last = await store.results.last(checkNo(1));
    await tx.states.closeGaps([no]);
  });`;
  assert.equal(unitsThatNameTheStore(planted).length, 1);
  assert.deepEqual(unitsThatNameTheStore(planted.replace("store.results", "tx.results")), []);
});

test("a unit that reads or writes the store from outside its transaction fails, and one beside it does not", async () => {
  await using store = await tempStore();
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  const planted = [
    () => store.results.last(no),
    () => store.accounts.find(alice.id),
    () => store.append(aResult(no, noon)),
    () => store.write(() => Promise.resolve()),
  ];
  for (const outside of planted)
    await assert.rejects(
      store.write(async () => void (await outside())),
      /from outside its transaction/,
    );
  const unit = store.write(async (tx) => tx.accounts.find(alice.id));
  assert.deepEqual(await store.accounts.find(alice.id), alice);
  assert.deepEqual(await unit, alice);
});
