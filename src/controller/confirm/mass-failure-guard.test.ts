import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import { createMassFailureGuard, type MassFailureGuard } from "./mass-failure-guard.ts";

function startGuard(): { readonly clock: FakeClock; readonly guard: MassFailureGuard } {
  const clock = fakeClock();
  return { clock, guard: createMassFailureGuard(clock) };
}

function record(
  guard: MassFailureGuard,
  targets: readonly number[],
  startedFailing: boolean,
): void {
  for (const target of targets)
    guard.record({ location: "ld", side: "public", target: `host${target}`, startedFailing });
}

const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

test("five targets that start to fail trip it, four do not", () => {
  const { guard } = startGuard();
  assert.equal(guard.isTripped("ld", "public"), false);
  record(guard, upTo(4), true);
  assert.equal(guard.isTripped("ld", "public"), false);
  record(guard, upTo(5), true);
  assert.equal(guard.isTripped("ld", "public"), true);
});

test("where half of the checks are controlled here three trip it, and of a small part two", () => {
  for (const [part, tripsAt] of [
    [0.5, 3],
    [0.01, 2],
  ] as const) {
    const guard = createMassFailureGuard(fakeClock(), () => part);
    record(guard, upTo(tripsAt - 1), true);
    assert.equal(guard.isTripped("ld", "public"), false);
    record(guard, upTo(tripsAt), true);
    assert.equal(guard.isTripped("ld", "public"), true);
  }
});

test("one target that starts to fail again and again counts once", () => {
  const { guard } = startGuard();
  for (let index = 0; index < 20; index += 1) record(guard, [1], true);
  assert.equal(guard.isTripped("ld", "public"), false);
});

test("more than half of the targets must start to fail", () => {
  const { guard } = startGuard();
  record(guard, upTo(12), false);
  record(guard, upTo(6), true);
  assert.equal(guard.isTripped("ld", "public"), false);
  record(guard, [6], true);
  assert.equal(guard.isTripped("ld", "public"), true);
});

test("a failure of more than a minute ago does not count, nor a target that ran no more", async () => {
  const { clock, guard } = startGuard();
  record(guard, upTo(5), true);
  await clock.advance(59_000);
  assert.equal(guard.isTripped("ld", "public"), true);
  await clock.advance(1000);
  record(guard, upTo(5), false);
  assert.equal(guard.isTripped("ld", "public"), false);
  await clock.advance(30_000);
  record(guard, [7, 8, 9, 10, 11], true);
  assert.equal(guard.isTripped("ld", "public"), false, "five of ten");
  await clock.advance(30_000);
  assert.equal(guard.isTripped("ld", "public"), true, "five of the five that ran within a minute");
});

test("each location is judged by its own runs", () => {
  const { guard } = startGuard();
  record(guard, upTo(9), true);
  assert.equal(guard.isTripped("ny", "public"), false);
});

test("public and private targets are judged apart", () => {
  const { guard } = startGuard();
  record(guard, upTo(9), true);
  assert.equal(guard.isTripped("ld", "private"), false);
});
