import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { createReadCache } from "./caches.ts";

test("what was read is not read again until something is written", async () => {
  const cache = createReadCache<{ readonly reading: number }>(fakeClock());
  let readings = 0;
  const load = () => Promise.resolve({ reading: (readings += 1) });
  assert.deepEqual(await cache.read("a", load), { reading: 1 });
  assert.deepEqual(await cache.read("a", load), { reading: 1 });
  assert.deepEqual(await cache.read("b", load), { reading: 2 });
  cache.clear();
  assert.deepEqual(await cache.read("a", load), { reading: 3 });
});

test("what is not there is looked for every time", async () => {
  const cache = createReadCache<object>(fakeClock());
  let readings = 0;
  const load = () => {
    readings += 1;
    return Promise.resolve(undefined);
  };
  await cache.read("a", load);
  await cache.read("a", load);
  assert.equal(readings, 2);
});

test("what was read before a write and arrives after it is given, and not kept", async () => {
  const cache = createReadCache<{ readonly state: string }>(fakeClock());
  const slow = Promise.withResolvers<{ state: string }>();
  const reading = cache.read("a", () => slow.promise);
  cache.clear();
  slow.resolve({ state: "old" });
  assert.deepEqual(await reading, { state: "old" });
  assert.deepEqual(await cache.read("a", () => Promise.resolve({ state: "new" })), {
    state: "new",
  });
});

test("it keeps no more than so much", async () => {
  const cache = createReadCache<{ readonly key: number }>(fakeClock());
  let readings = 0;
  const read = (key: number) =>
    cache.read(String(key), () => {
      readings += 1;
      return Promise.resolve({ key });
    });
  for (let key = 0; key <= 5000; key += 1) await read(key);
  await read(0);
  assert.equal(readings, 5002);
});

test("what was read is read again after five seconds, whoever changed it", async () => {
  const clock = fakeClock();
  const cache = createReadCache<{ readonly reading: number }>(clock);
  let readings = 0;
  const load = () => Promise.resolve({ reading: (readings += 1) });
  assert.deepEqual(await cache.read("a", load), { reading: 1 });
  await clock.advance(4999);
  assert.deepEqual(await cache.read("a", load), { reading: 1 });
  await clock.advance(1);
  assert.deepEqual(await cache.read("a", load), { reading: 2 });
});
