import assert from "node:assert/strict";
import { test } from "node:test";

import { createReadCache } from "./read-cache.ts";

test("what was read is not read again until something is written", async () => {
  const memo = createReadCache<{ readonly reading: number }>();
  let readings = 0;
  const load = () => Promise.resolve({ reading: (readings += 1) });
  assert.deepEqual(await memo.read("a", load), { reading: 1 });
  assert.deepEqual(await memo.read("a", load), { reading: 1 });
  assert.deepEqual(await memo.read("b", load), { reading: 2 });
  memo.clear();
  assert.deepEqual(await memo.read("a", load), { reading: 3 });
});

test("what is not there is looked for every time", async () => {
  const memo = createReadCache<object>();
  let readings = 0;
  const load = () => {
    readings += 1;
    return Promise.resolve(undefined);
  };
  await memo.read("a", load);
  await memo.read("a", load);
  assert.equal(readings, 2);
});

test("what was read before a write and arrives after it is given, and not kept", async () => {
  const memo = createReadCache<{ readonly state: string }>();
  const slow = Promise.withResolvers<{ state: string }>();
  const reading = memo.read("a", () => slow.promise);
  memo.clear();
  slow.resolve({ state: "old" });
  assert.deepEqual(await reading, { state: "old" });
  assert.deepEqual(await memo.read("a", () => Promise.resolve({ state: "new" })), { state: "new" });
});

test("it keeps no more than so much", async () => {
  const memo = createReadCache<{ readonly key: number }>();
  let readings = 0;
  const read = (key: number) =>
    memo.read(String(key), () => {
      readings += 1;
      return Promise.resolve({ key });
    });
  for (let key = 0; key <= 5000; key += 1) await read(key);
  await read(0);
  assert.equal(readings, 5002);
});
