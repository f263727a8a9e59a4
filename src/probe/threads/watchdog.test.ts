import assert from "node:assert/strict";
import { test } from "node:test";

import { STEPS } from "./protocol.ts";
import { createWatchdog } from "./watchdog.ts";

/** A thread that uses `cpuPerLook` of CPU between two looks; gives the first look at which it is found so, of 100. */
function looksUntil(
  found: "silent" | "hung",
  cpuPerLook: number,
  stepsAt: readonly number[] = [],
): number | undefined {
  const progress = new Int32Array(2);
  let cpu = 0;
  const { look } = createWatchdog(progress, () => (cpu += cpuPerLook));
  for (let count = 1; count <= 100; count += 1) {
    if (stepsAt.includes(count)) Atomics.add(progress, STEPS, 1);
    if (look() === found) return count;
  }
  return undefined;
}

// guard: threads that hang
test("a thread that computes all the time hangs after 0.6 s", () => {
  assert.equal(looksUntil("hung", 100), 7);
});

test("on a busy machine it hangs once it used as much", () => {
  assert.equal(looksUntil("hung", 20), 31);
});

test("one that waits for something that never comes hangs after 5 s", () => {
  assert.equal(looksUntil("hung", 0), 50);
});

test("one that goes on from time to time does not hang", () => {
  assert.equal(looksUntil("hung", 100, [5, 10, 15]), 22);
  assert.equal(
    looksUntil(
      "hung",
      100,
      Array.from({ length: 20 }, (_, index) => index * 5),
    ),
    undefined,
  );
});

test("one that may hang is found so in time to start another", () => {
  assert.equal(looksUntil("silent", 100), 3);
  assert.equal(looksUntil("silent", 0), 25);
  assert.equal(looksUntil("silent", 100, [2, 4, 6, 8]), 11);
});
