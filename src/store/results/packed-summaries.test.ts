import assert from "node:assert/strict";
import { test } from "node:test";

import { anyResult, assertCounted } from "../../../test/contracts/store/results/summaries.ts";
import { randomNumbers } from "../../../test/fuzz/random-numbers.ts";
import { minute, noon } from "../../../test/record-builders.ts";
import type { RunSummary } from "../../domain/run/run-summary.ts";
import { packSummaries, unpackSummaries } from "./pack-summaries.ts";
import { addUp, summarizeResults } from "./summarize-results.ts";

const hour = 60 * minute;
const day = 24 * hour;
const midnight = noon - 12 * hour;
const hours = { day: midnight, stepMs: hour };

function dayOfResults(seed: number) {
  const random = randomNumbers(seed);
  return Array.from({ length: 1440 }, (_, index) =>
    anyResult(1, midnight + index * minute, random),
  );
}

test("summaries come back as they were packed", () => {
  const summaries = summarizeResults(dayOfResults(1), hour);
  assert.deepEqual(unpackSummaries(packSummaries(summaries, hours), hours), summaries);
  assert.deepEqual(unpackSummaries(packSummaries([], hours), hours), []);
});

test("parts of a day in any division and order add up to the day", () => {
  const results = dayOfResults(2);
  const random = randomNumbers(3);
  const parts = Map.groupBy(results, () => Math.floor(random() * 5));
  const whole = addUp([...parts.values()].flatMap((part) => summarizeResults(part, day)));
  assertCounted(whole, results, day);
});

test("the day is what its hours add up to", () => {
  const results = dayOfResults(4);
  const byHour = summarizeResults(results, hour);
  const added = addUp(byHour.map((each) => ({ ...each, at: midnight })));
  const whole = summarizeResults(results, day);
  assert.deepEqual(
    added.map(({ summary }) => ({ ...summary, buckets: inOrder(summary) })),
    whole.map(({ summary }) => ({ ...summary, buckets: inOrder(summary) })),
  );
  assertCounted(added, results, day);
});

function inOrder({ buckets }: RunSummary): readonly (readonly [number, number])[] {
  return [...buckets].toSorted(([one], [other]) => one - other);
}

test("what is damaged, or of a later version, is refused", () => {
  const packed = packSummaries(summarizeResults(dayOfResults(5), hour), hours);
  const damaged = packed.with(40, (packed[40] ?? 0) ^ 0xff);
  for (const bytes of [damaged, packed.with(0, 2), packed.subarray(0, -9), new Uint8Array()])
    assert.throws(() => unpackSummaries(bytes, hours), { code: "invalid_input" });
});
