import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";

import { sharingNextRun } from "./next-run.ts";

test("callers during a run share the next one, which begins once that run has ended", async () => {
  const ends: ((value: number) => void)[] = [];
  const ask = sharingNextRun(
    () =>
      new Promise<number>((resolve) => {
        ends.push(resolve);
      }),
  );
  const first = ask();
  await setImmediate();
  const later = [ask(), ask()];
  await setImmediate();
  assert.equal(ends.length, 1);
  ends[0]?.(1);
  await setImmediate();
  assert.equal(ends.length, 2);
  ends[1]?.(2);
  assert.deepEqual([await first, ...(await Promise.all(later))], [1, 2, 2]);
});
