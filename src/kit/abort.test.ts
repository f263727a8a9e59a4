import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { createDeadline } from "./abort.ts";

test("a deadline aborts when its time is over, with its reason", async () => {
  const clock = fakeClock();
  const late = new Error("no answer in 1 s");
  using deadline = createDeadline(clock, 1000, late);
  using plain = createDeadline(clock, 1000);
  await clock.advance(999);
  assert.equal(deadline.signal.aborted, false);
  await clock.advance(1);
  assert.equal(deadline.signal.reason, late);
  assert.equal(plain.signal.reason.name, "AbortError");
});

test("a deadline that was canceled or has gone out of scope never aborts", async () => {
  const clock = fakeClock();
  const canceled = createDeadline(clock, 1000);
  canceled.cancel();
  let signal: AbortSignal;
  {
    using left = createDeadline(clock, 1000);
    ({ signal } = left);
  }
  await clock.advance(2000);
  assert.deepEqual([canceled.signal.aborted, signal.aborted], [false, false]);
});
