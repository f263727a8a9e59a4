import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { Release } from "./concurrency-limiter.ts";

const limits = { total: 3, perDestination: 2, maxWaitMs: 5000 };

test("few are let through to one destination, and few in all", async () => {
  const clock = fakeClock();
  const gate = createConcurrencyLimiter(clock, limits);
  const inside: string[] = [];
  const leaves: Release[] = [];
  for (const destination of ["a", "a", "a", "b", "b"]) {
    void gate.acquire(destination).then((leave) => {
      if (leave === undefined) return;
      inside.push(destination);
      leaves.push(leave);
    });
  }
  await clock.advance(0);
  assert.deepEqual(inside, ["a", "a", "b"]);
  leaves[0]?.();
  await clock.advance(0);
  assert.deepEqual(inside, ["a", "a", "b", "a"]);
  leaves[0]?.();
  await clock.advance(0);
  assert.deepEqual(inside, ["a", "a", "b", "a"], "leaving twice frees one place");
  leaves[1]?.();
  await clock.advance(0);
  assert.deepEqual(inside, ["a", "a", "b", "a", "b"]);
});

test("who waits longer than patience is turned away, and who comes to a stuck destination at once", async () => {
  const clock = fakeClock();
  const gate = createConcurrencyLimiter(clock, limits);
  await gate.acquire("a");
  const leave = await gate.acquire("a");
  const waiting = gate.acquire("a");
  await clock.advance(limits.maxWaitMs);
  assert.equal(await waiting, undefined);
  assert.equal(await gate.acquire("a"), undefined);
  assert.equal(clock.pending(), 0);
  assert.notEqual(await gate.acquire("b"), undefined, "another destination is not stuck");
  leave?.();
  assert.notEqual(await gate.acquire("a"), undefined, "it moves again");
});

test("a destination that moves is waited for", async () => {
  const clock = fakeClock();
  const gate = createConcurrencyLimiter(clock, limits);
  const leave = await gate.acquire("a");
  await gate.acquire("a");
  await clock.advance(limits.maxWaitMs - 1);
  const waiting = gate.acquire("a");
  await clock.advance(limits.maxWaitMs - 1);
  leave?.();
  assert.notEqual(await waiting, undefined);
  assert.equal(clock.pending(), 0);
});

test("a closed gate turns away those who wait and those who come", async () => {
  const clock = fakeClock();
  const gate = createConcurrencyLimiter(clock, limits);
  await gate.acquire("a");
  await gate.acquire("a");
  const waiting = gate.acquire("a");
  gate.close();
  assert.equal(await waiting, undefined);
  assert.equal(await gate.acquire("b"), undefined);
  assert.equal(clock.pending(), 0);
});

test("whatever comes and goes, no limit is passed and no place is lost", async () => {
  const step = fc.oneof(
    fc.constantFrom("a", "b", "c").map((enter) => ({ enter })),
    fc.nat({ max: 9 }).map((leave) => ({ leave })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = fakeClock();
      const gate = createConcurrencyLimiter(clock, limits);
      const inside: { destination: string; leave: Release }[] = [];
      for (const each of steps) {
        if ("enter" in each) {
          void gate
            .acquire(each.enter)
            .then((leave) => leave && inside.push({ destination: each.enter, leave }));
        } else {
          inside.splice(each.leave, 1)[0]?.leave();
        }
        await Promise.resolve();
        await Promise.resolve();
        assert.ok(inside.length <= limits.total);
        for (const name of ["a", "b", "c"]) {
          assert.ok(
            inside.filter(({ destination }) => destination === name).length <=
              limits.perDestination,
          );
        }
      }
      await clock.advance(limits.maxWaitMs);
      for (const { leave } of inside) leave();
      const after = await Promise.all(["a", "b", "a"].map((name) => gate.acquire(name)));
      assert.ok(after.every((leave) => leave !== undefined));
    }),
  );
});
