import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createWriteHealth } from "./write-health.ts";

test("units that wait while others end are no sign that the database hangs; that none ends is one", async () => {
  const clock = fakeClock();
  const health = createWriteHealth({ clock, interruptions: undefined });
  const oldest = Promise.withResolvers<void>();
  const waiting = health.watch(() => oldest.promise);
  for (let seconds = 0; seconds < 12; seconds += 1) {
    await health.watch(() => clock.advance(1000));
    assert.equal(health.writeError(), undefined);
  }
  assert.equal(health.oldestWaitMs(), 12_000);
  await clock.advance(4000);
  assert.match(String(health.writeError()), /has waited for 16 s, and none has ended for 4 s$/);
  oldest.resolve();
  await waiting;
  assert.equal(health.writeError(), undefined);
});
