import assert from "node:assert/strict";
import { test } from "node:test";

import { aResult, noon } from "../../test/record-builders.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import type { Result } from "../domain/run/result.ts";
import { shareCommits } from "./shared-commits.ts";

const WAIT_MS = 50;

function startSharing(refused: (result: Result) => boolean = () => false) {
  const clock = fakeClock();
  const stored: number[][] = [];
  const append = shareCommits(
    async (result) => {
      if (refused(result)) throw new RangeError("planted");
      const batch = stored.at(-1) ?? [];
      stored.splice(-1, 1, [...batch, result.checkNo]);
    },
    clock,
    WAIT_MS,
  );
  return {
    append: (checkNo: number) => append(aResult(checkNo, noon)),
    stored,
    advance: (ms: number): Promise<void> => {
      stored.push([]);
      return clock.advance(ms);
    },
  };
}

test("results of one stretch of time are stored together, and none later than its end", async () => {
  const { append, stored, advance } = startSharing();
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

test("a result that is refused takes no other along", async () => {
  const { append, stored, advance } = startSharing(({ checkNo }) => checkNo === 2);
  const results = Promise.allSettled([1, 2, 3].map(append));
  await advance(WAIT_MS);
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(stored, [[1, 3]]);
});
