import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { drainEventLoop, fakeClock } from "../../../test/time/fake-clock.ts";
import { createFairSemaphore } from "./fair-semaphore.ts";

function openSemaphore(slots: number) {
  const clock = fakeClock();
  const limits = { slots, maxWaiting: 20, maxWaitMs: 10_000, refusal: "too busy" };
  const semaphore = createFairSemaphore(clock, limits);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const ended: string[] = [];
  return {
    clock,
    ended,
    running: () => running.map(({ name }) => name),
    enter: (accountId: string, name: string): Promise<void> =>
      semaphore.run(accountId, async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ name, end: resolve });
        await promise;
        ended.push(name);
      }),
    end: async (): Promise<void> => {
      await drainEventLoop();
      running.shift()?.end();
      await drainEventLoop();
    },
  };
}

test("whoever comes next waits for one turn of each account before it, not for all that wait", async () => {
  const { enter, end, ended } = openSemaphore(1);
  const all = Promise.all([
    ...["a1", "a2", "a3", "a4"].map((name) => enter("alice", name)),
    ...["b1", "b2"].map((name) => enter("bob", name)),
    enter("carol", "c1"),
  ]);
  for (let turn = 0; turn < 7; turn += 1) await end();
  await all;
  assert.deepEqual(ended, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

// guard: slots of a semaphore by key
test("an account has as many places as it leaves for all others", async () => {
  const { enter, running, clock } = openSemaphore(8);
  for (const name of "123456") void enter("alice", name);
  await drainEventLoop();
  assert.equal(running().length, 4);
  void enter("bob", "b");
  await drainEventLoop();
  assert.equal(running().length, 5);
  assert.equal(clock.pending(), 2);
});

test("who waits for long, or behind many of the same account, is refused, and holds up nobody", async () => {
  const { enter, end, ended, clock } = openSemaphore(1);
  const first = enter("alice", "first");
  const refusal = { code: "unavailable", message: "too busy" };
  const waiting = Array.from({ length: 20 }, (_, index) =>
    assert.rejects(enter("alice", `a${index}`), refusal),
  );
  await assert.rejects(enter("alice", "one more"), refusal);
  await clock.advance(9999);
  const other = enter("bob", "other");
  await clock.advance(1);
  await Promise.all(waiting);
  await end();
  await end();
  await Promise.all([first, other]);
  assert.deepEqual(ended, ["first", "other"]);
});

test("work that fails gives its place up", async () => {
  const semaphore = createFairSemaphore(fakeClock(), { slots: 1 });
  await assert.rejects(
    semaphore.run("alice", () => Promise.reject(new Error("broken"))),
    { message: "broken" },
  );
  assert.equal(await semaphore.run("alice", async () => 1), 1);
});

/** What the semaphore must do, as plainly as it can be said: all that wait in one list, and the turns of keys in another. */
function createModel(slots: number, isShared: boolean) {
  const running: { readonly key: string; readonly slots: number }[] = [];
  const waiting: { readonly key: string; readonly name: number; readonly slots: number }[] = [];
  let turns: string[] = [];
  const started: number[] = [];
  const sum = (some: readonly { readonly slots: number }[]): number =>
    some.reduce((all, each) => all + each.slots, 0);
  const mayTake = (key: string, more: number): boolean => {
    const free = slots - sum(running);
    const own = sum(running.filter((each) => each.key === key));
    return isShared ? own + more <= free - more + 1 : more <= free;
  };
  const advance = (): void => {
    const next = turns
      .map((key) => waiting.find((each) => each.key === key))
      .find((first) => first !== undefined && mayTake(first.key, first.slots));
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    turns = turns.filter((key) => key !== next.key);
    if (waiting.some(({ key }) => key === next.key)) turns.push(next.key);
    running.push({ key: next.key, slots: next.slots });
    started.push(next.name);
    advance();
  };
  return {
    started,
    waiting: () => waiting.length,
    acquire(key: string, name: number, more: number): void {
      waiting.push({ key, name, slots: more });
      if (!turns.includes(key)) turns.push(key);
      advance();
    },
    abort(name: number): void {
      const index = waiting.findIndex((each) => each.name === name);
      const [left] = index === -1 ? [] : waiting.splice(index, 1);
      if (left !== undefined && !waiting.some(({ key }) => key === left.key))
        turns = turns.filter((key) => key !== left.key);
      advance();
    },
    release(key: string, less: number): void {
      running.splice(
        running.findIndex((each) => each.key === key && each.slots === less),
        1,
      );
      advance();
    },
  };
}

test("whatever comes, ends and is aborted, it begins what the model does, in the same order", async () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        key: fc.constantFrom("a", "b", "c"),
        slots: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ ends: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ aborts: fc.nat(60) }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.array(step, { maxLength: 60 }),
      async (slots, isShared, steps) => {
        const semaphore = createFairSemaphore(fakeClock(), { slots, isShared });
        const model = createModel(slots, isShared);
        const started: number[] = [];
        const running: { readonly key: string; readonly slots: number }[] = [];
        const aborts: AbortController[] = [];
        for (const each of steps) {
          if ("key" in each) {
            const name = aborts.length;
            const abort = new AbortController();
            aborts.push(abort);
            model.acquire(each.key, name, each.slots);
            const granted = semaphore.acquire(each.key, {
              slots: each.slots,
              signal: abort.signal,
            });
            void granted.then(
              () => {
                started.push(name);
                running.push(each);
              },
              () => {},
            );
          } else if ("ends" in each) {
            const [ended] = running.splice(each.ends % Math.max(running.length, 1), 1);
            if (ended === undefined) continue;
            model.release(ended.key, ended.slots);
            semaphore.release(ended.key, ended.slots);
          } else {
            model.abort(each.aborts);
            aborts[each.aborts]?.abort();
          }
          await drainEventLoop(1);
          assert.deepEqual(started, model.started);
          assert.equal(semaphore.waiting(), model.waiting());
        }
      },
    ),
  );
});

test("an abort ends a wait, and one that came before is not waited for", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const semaphore = createFairSemaphore(fakeClock(), { slots: 1, refusal: "too late" });
  const first = semaphore.run("a", () => promise);
  const refused = { code: "unavailable", message: "too late" };
  const abort = new AbortController();
  const waits = semaphore.acquire("a", { signal: abort.signal });
  assert.deepEqual(
    [semaphore.waiting(), semaphore.waiting("a"), semaphore.waiting("b")],
    [1, 1, 0],
  );
  abort.abort();
  await assert.rejects(waits, refused);
  assert.equal(semaphore.waiting(), 0);
  resolve();
  await first;
  await assert.rejects(semaphore.acquire("a", { signal: abort.signal }), refused);
  assert.equal(semaphore.tryAcquire("a"), true);
});

test("slots of a turn are free again in the next turn of the event loop", async () => {
  const limits = { slots: 3, isShared: false, isPerTurn: true };
  const semaphore = createFairSemaphore(fakeClock(), limits);
  let granted = 0;
  for (let count = 0; count < 8; count += 1) void semaphore.acquire("a").then(() => (granted += 1));
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await Promise.resolve();
    counts.push(granted);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(counts, [3, 6, 8, 8]);
});

test("a further condition is asked again when it is told to have changed, and after a while", async () => {
  const clock = fakeClock();
  let isOpen = false;
  const limits = { slots: 2, isShared: false, admits: () => isOpen, recheckMs: 50 };
  const semaphore = createFairSemaphore(clock, limits);
  let granted = 0;
  const wait = (): void => void semaphore.acquire("a").then(() => (granted += 1));
  wait();
  await clock.advance(49);
  assert.equal(granted, 0);
  isOpen = true;
  await clock.advance(1);
  assert.deepEqual([granted, clock.pending()], [1, 0]);
  isOpen = false;
  wait();
  isOpen = true;
  semaphore.advance();
  await drainEventLoop();
  assert.deepEqual([granted, clock.pending()], [2, 0]);
});
