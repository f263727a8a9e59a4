import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/fake-clock.ts";
import type { FakeClock } from "../../test/fake-clock.ts";
import { createMassFailureGuard } from "./mass-failure-guard.ts";
import type { MassFailureGuard } from "./mass-failure-guard.ts";

function bench(): { readonly clock: FakeClock; readonly breaker: MassFailureGuard } {
  const clock = fakeClock();
  return { clock, breaker: createMassFailureGuard(clock) };
}

function note(
  breaker: MassFailureGuard,
  targets: readonly number[],
  startedFailing: boolean,
): void {
  for (const target of targets)
    breaker.record({ location: "ld", target: `host${target}`, startedFailing });
}

const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

test("five targets that turn trip it, four do not", () => {
  const { breaker } = bench();
  assert.equal(breaker.isTripped("ld"), false);
  note(breaker, upTo(4), true);
  assert.equal(breaker.isTripped("ld"), false);
  note(breaker, upTo(5), true);
  assert.equal(breaker.isTripped("ld"), true);
});

test("one target that turns again and again counts once", () => {
  const { breaker } = bench();
  for (let index = 0; index < 20; index += 1) note(breaker, [1], true);
  assert.equal(breaker.isTripped("ld"), false);
});

test("more than half of the targets must turn", () => {
  const { breaker } = bench();
  note(breaker, upTo(12), false);
  note(breaker, upTo(6), true);
  assert.equal(breaker.isTripped("ld"), false);
  note(breaker, [6], true);
  assert.equal(breaker.isTripped("ld"), true);
});

test("what startedFailing more than a minute ago does not count, nor who was seen no more", async () => {
  const { clock, breaker } = bench();
  note(breaker, upTo(5), true);
  await clock.advance(59_000);
  assert.equal(breaker.isTripped("ld"), true);
  await clock.advance(1000);
  note(breaker, upTo(5), false);
  assert.equal(breaker.isTripped("ld"), false);
  await clock.advance(30_000);
  note(breaker, [7, 8, 9, 10, 11], true);
  assert.equal(breaker.isTripped("ld"), false, "five of ten");
  await clock.advance(30_000);
  assert.equal(breaker.isTripped("ld"), true, "five of the five that were seen within a minute");
});

test("each location is judged by its own runs", () => {
  const { breaker } = bench();
  note(breaker, upTo(9), true);
  assert.equal(breaker.isTripped("ny"), false);
});
