import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { createSharedWait } from "./shared-commits.ts";

const WAIT_MS = 50;

test("results of one stretch of time go on together, and none later than its end", async () => {
  const clock = fakeClock();
  const wait = createSharedWait(clock);
  const stored: number[][] = [];
  const append = (checkNo: number): Promise<void> =>
    new Promise((resolve) => {
      wait(() => {
        stored.at(-1)?.push(checkNo);
        resolve();
      });
    });
  const advance = (ms: number): Promise<void> => {
    stored.push([]);
    return clock.advance(ms);
  };
  const results = [append(1), append(2)];
  await advance(WAIT_MS - 1);
  results.push(append(3));
  await advance(1);
  await Promise.all(results.splice(0));
  results.push(append(4));
  await advance(WAIT_MS);
  await Promise.all(results);
  assert.deepEqual(stored, [[], [1, 2, 3], [4]]);
});
