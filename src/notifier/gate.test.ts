import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../test/fake-clock.ts";
import { createGate } from "./gate.ts";
import type { Leave } from "./gate.ts";

const limits = { places: 3, placesEach: 2, patienceMs: 5000 };

test("few are let through to one destination, and few in all", async () => {
  const clock = fakeClock();
  const gate = createGate(clock, limits);
  const inside: string[] = [];
  const leaves: Leave[] = [];
  for (const destination of ["a", "a", "a", "b", "b"]) {
    void gate.enter(destination).then((leave) => {
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
  const gate = createGate(clock, limits);
  await gate.enter("a");
  const leave = await gate.enter("a");
  const waiting = gate.enter("a");
  await clock.advance(limits.patienceMs);
  assert.equal(await waiting, undefined);
  assert.equal(await gate.enter("a"), undefined);
  assert.equal(clock.pending(), 0);
  assert.notEqual(await gate.enter("b"), undefined, "another destination is not stuck");
  leave?.();
  assert.notEqual(await gate.enter("a"), undefined, "it moves again");
});

test("a destination that moves is waited for", async () => {
  const clock = fakeClock();
  const gate = createGate(clock, limits);
  const leave = await gate.enter("a");
  await gate.enter("a");
  await clock.advance(limits.patienceMs - 1);
  const waiting = gate.enter("a");
  await clock.advance(limits.patienceMs - 1);
  leave?.();
  assert.notEqual(await waiting, undefined);
  assert.equal(clock.pending(), 0);
});

test("a closed gate turns away those who wait and those who come", async () => {
  const clock = fakeClock();
  const gate = createGate(clock, limits);
  await gate.enter("a");
  await gate.enter("a");
  const waiting = gate.enter("a");
  gate.close();
  assert.equal(await waiting, undefined);
  assert.equal(await gate.enter("b"), undefined);
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
      const gate = createGate(clock, limits);
      const inside: { destination: string; leave: Leave }[] = [];
      for (const each of steps) {
        if ("enter" in each) {
          void gate
            .enter(each.enter)
            .then((leave) => leave && inside.push({ destination: each.enter, leave }));
        } else {
          inside.splice(each.leave, 1)[0]?.leave();
        }
        await Promise.resolve();
        await Promise.resolve();
        assert.ok(inside.length <= limits.places);
        for (const name of ["a", "b", "c"]) {
          assert.ok(
            inside.filter(({ destination }) => destination === name).length <= limits.placesEach,
          );
        }
      }
      await clock.advance(limits.patienceMs);
      for (const { leave } of inside) leave();
      const after = await Promise.all(["a", "b", "a"].map((name) => gate.enter(name)));
      assert.ok(after.every((leave) => leave !== undefined));
    }),
  );
});
