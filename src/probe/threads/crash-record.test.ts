import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { Job } from "../../bus/bus.ts";
import { createCrashRecord } from "./crash-record.ts";

function jobOf(revision: string, attempt = 1): Job {
  return {
    id: `check.${revision}.60000.${attempt}`,
    checkId: "check",
    accountId: "alice",
    type: "HTTP",
    parameters: {},
    timeoutMs: 5000,
  };
}

test("a check is a suspect once three threads ended under it, until it brings a report or is changed", () => {
  const record = createCrashRecord(fakeClock());
  const first = jobOf("1");
  for (const wasSuspect of [false, false, false]) {
    assert.equal(record.isSuspect(first), wasSuspect);
    record.threadEnded(first, false);
  }
  assert.equal(record.isSuspect(jobOf("1", 2)), true);
  assert.equal(record.isSuspect(jobOf("2")), false);
  assert.equal(record.refusal(first), undefined);
  record.reported(first);
  assert.equal(record.isSuspect(first), false);
});

test("one that ends its own thread waits for a minute, then twice as long, up to an hour", async () => {
  const clock = fakeClock();
  const record = createCrashRecord(clock);
  const job = jobOf("1");
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    assert.equal(record.refusal(job), undefined);
    record.threadEnded(job, true);
    assert.match(record.refusal(job) ?? "", new RegExp(`again in ${minutes} min`));
    assert.equal(record.refusal(jobOf("2")), undefined, "a change may have mended it");
    await clock.advance(minutes * 60_000);
  }
});
