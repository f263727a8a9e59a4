import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { createBeatObserver } from "./beat-observer.ts";

const row = (id: string, beat: number) => ({ id, beat, bus_ok: true, held_ms: 3300 });

test("a beat that is read equal five times, a second apart, has expired; one that moves has not", async () => {
  const clock = fakeClock();
  const observer = createBeatObserver(clock);
  const read = async (still: number, moving: number) => {
    const expired = observer.read([row("still", still), row("moving", moving)]);
    await clock.advance(1000);
    return expired.map(({ id }) => id);
  };
  for (let reads = 0; reads < 5; reads += 1) assert.deepEqual(await read(7, reads), []);
  assert.deepEqual(await read(7, 5), ["still"]);
});

test("a beat under a longer lease expires after that lease, and after no fewer reads", async () => {
  const clock = fakeClock();
  const observer = createBeatObserver(clock);
  const expiresAfter = async (id: string, held_ms: number): Promise<number> => {
    const from = clock.monotonic();
    while (observer.read([{ ...row(id, 1), held_ms }]).length === 0) await clock.advance(1000);
    return clock.monotonic() - from;
  };
  assert.equal(await expiresAfter("near", 3300), 5000);
  assert.equal(await expiresAfter("far", 6300), 8000);
});

test("reads that follow at once count once, also after this process stood still", async () => {
  const clock = fakeClock();
  const observer = createBeatObserver(clock);
  for (let reads = 0; reads < 20; reads += 1) assert.deepEqual(observer.read([row("one", 1)]), []);
  await clock.advance(60_000);
  for (let reads = 0; reads < 20; reads += 1) assert.deepEqual(observer.read([row("one", 1)]), []);
});

test("a read that fails begins the count again: whoever renews may not have reached the database either", async () => {
  const clock = fakeClock();
  const observer = createBeatObserver(clock);
  for (let reads = 0; reads < 5; reads += 1) {
    observer.read([row("one", 1)]);
    await clock.advance(1000);
  }
  observer.failed();
  for (let reads = 0; reads < 5; reads += 1) {
    assert.deepEqual(observer.read([row("one", 1)]), []);
    await clock.advance(1000);
  }
  assert.equal(observer.read([row("one", 1)]).length, 1);
});

test("a step of the wall clock moves nothing", async () => {
  const clock = fakeClock();
  const observer = createBeatObserver(clock);
  observer.read([row("one", 1)]);
  clock.step(3_600_000);
  assert.deepEqual(observer.read([row("one", 1)]), []);
});
