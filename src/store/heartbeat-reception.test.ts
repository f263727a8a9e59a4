import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { lengthSince } from "../kit/interruptions.ts";
import { lostBefore, receptionToKeep } from "./heartbeat-reception.ts";

const minute = 60_000;

test("of very many interruptions the oldest are forgotten, and nothing is known of what was before them", () => {
  const clock = fakeClock();
  const lost = Array.from({ length: 500 }, (_, index) => ({
    from: index * minute,
    to: index * minute + 2000,
  }));
  clock.jump(500 * minute);
  const kept = receptionToKeep(clock, lost);
  assert.ok(JSON.stringify(kept).length < 4000);
  const before = lostBefore(clock, kept);
  assert.equal(lengthSince(490 * minute, before), 10 * 2000);
  assert.ok(lengthSince(0, before) > 400 * minute);
  // Interruptions too short to notice are not kept.
  assert.deepEqual(receptionToKeep(clock, [{ from: 0, to: 900 }]).lost, []);
});
