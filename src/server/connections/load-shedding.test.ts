import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import { createLoadShedding, type LoadShedding } from "./load-shedding.ts";

interface Site extends LoadShedding {
  readonly clock: FakeClock;
  /** Sets for how long the event loop was blocked in the last second, from now on. */
  readonly stall: (ms: number) => void;
  /** Returns how many of the connections are accepted. */
  readonly letIn: (client: string, connections: number) => number;
}

function site(stalledMs: number): Site {
  const clock = fakeClock();
  let stalled = stalledMs;
  const shedding = createLoadShedding({ clock, eventLoop: { stalledSince: () => stalled } });
  return {
    ...shedding,
    clock,
    stall: (ms) => (stalled = ms),
    letIn: (client, connections) =>
      Array.from({ length: connections }, () => shedding.refuses(client)).filter(
        (isRefused) => !isRefused,
      ).length,
  };
}

test("whoever connects is let in while there is time for it", () => {
  const { letIn } = site(99);
  assert.equal(letIn("a", 5000), 5000);
});

test("under pressure those that bring nothing are let in 200 times a second together, once each has been 128 times", async () => {
  const { letIn, clock } = site(100);
  assert.equal(letIn("a", 5000), 128 + 200);
  assert.equal(letIn("b", 5000), 128);
  await clock.advance(500);
  assert.equal(letIn("a", 5000), 100);
  assert.equal(letIn("c", 1), 1);
});

// guard: strangers under pressure
test("under pressure strangers are let in 1,000 times together, and then 200 times a second", async () => {
  const { letIn, clock } = site(100);
  const letInOfAll = (name: string): number =>
    Array.from({ length: 2000 }, (_, index) => letIn(`${name} ${index}`, 1)).reduce(
      (sum, count) => sum + count,
    );
  assert.equal(letInOfAll("one"), 1000);
  await clock.advance(1000);
  assert.equal(letInOfAll("other"), 200);
});

test("under pressure whoever is answered as it asks is let in, however many strangers come", async () => {
  const { letIn, served } = site(100);
  served("known");
  for (let index = 0; index < 2000; index += 1) letIn(`stranger ${index}`, 1);
  for (let index = 0; index < 2000; index += 1) {
    assert.equal(letIn("known", 1), 1);
    served("known");
  }
  assert.equal(letIn("known", 5000), 256 + 200);
});

// guard: answers under pressure
test("of connections that are refused 200 a second are answered, of addresses that were served lately", async () => {
  const { answers, served, clock } = site(100);
  const answered = (client: string): number =>
    Array.from({ length: 1000 }, () => answers(client)).filter(Boolean).length;
  served("office");
  assert.equal(answered("scanner alone"), 0);
  assert.equal(answered("office"), 200);
  await clock.advance(500);
  assert.equal(answered("office"), 100);
  await clock.advance(3_600_000);
  assert.equal(answered("office"), 0);
});

test("what was let in for nothing is forgiven, one a second, and soon once it ends", async () => {
  const { letIn, served, clock } = site(100);
  served("a");
  assert.equal(letIn("a", 1000), 256 + 200);
  for (let second = 0; second < 600; second += 1) {
    await clock.advance(1000);
    letIn("a", 1000);
  }
  await clock.advance(61_000);
  letIn("b", 5000);
  assert.equal(letIn("a", 5000), 1);
});

test("pressure lasts ten seconds longer than the stalls that show it", async () => {
  const { letIn, stall, clock } = site(100);
  assert.equal(letIn("a", 1000), 128 + 200);
  stall(0);
  await clock.advance(9_999);
  assert.ok(letIn("a", 1000) < 1000);
  await clock.advance(1);
  assert.equal(letIn("a", 1000), 1000);
});
