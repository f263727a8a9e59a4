import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/fake-clock.ts";
import { passed } from "../domain/outcome.ts";
import type { Job, Report } from "./bus.ts";
import { createDispatch } from "./dispatch.ts";
import type { Answer, Dispatch } from "./dispatch.ts";
import { createMemoryBus } from "./memory/memory-bus.ts";

const job: Job = {
  id: "check.1.0.1",
  checkId: "check",
  type: "PORT",
  parameters: {},
  timeoutMs: 5000,
};
const report: Report = {
  jobId: job.id,
  location: "ld",
  startOffsetMs: 1,
  endOffsetMs: 20,
  outcome: passed("Connected", "it answers"),
  vouched: false,
};

function bench() {
  const clock = fakeClock();
  const bus = createMemoryBus();
  const unknown: Report[] = [];
  const dispatch: Dispatch = createDispatch({
    bus,
    clock,
    onUnknown: (late) => void unknown.push(late),
  });
  const { promise, resolve } = Promise.withResolvers<Report>();
  bus.jobs.serve({ code: "ld", region: undefined }, () => promise);
  return { clock, dispatch, unknown, answer: () => resolve(report) };
}

test("a report answers its job, with how long it was away whatever was done to the wall clock", async () => {
  const { clock, dispatch, unknown, answer } = bench();
  const sentAt = clock.now();
  const answered = dispatch("ld", job);
  await clock.advance(300);
  clock.step(-3_600_000);
  answer();
  assert.deepEqual(await answered, { report, sentAt, elapsedMs: 300 } satisfies Answer);
  assert.equal(clock.pending(), 0, "no deadline is left over");
  assert.deepEqual(unknown, []);
});

test("a job that nobody answers is unanswered some seconds after its timeout, and the late report is counted and dropped", async () => {
  const { clock, dispatch, unknown, answer } = bench();
  const answered: Answer[] = [];
  const take = (found: Answer): void => void answered.push(found);
  void dispatch("ld", job).then(take);
  await clock.advance(9999);
  assert.equal(answered.length, 0);
  await clock.advance(1);
  assert.deepEqual(answered[0]?.report, {
    jobId: job.id,
    location: "ld",
    trouble: "unanswered",
    message: "location ld did not answer",
  });
  answer();
  await clock.advance(1);
  assert.deepEqual(unknown, [report]);
});

test("a location that is not there leaves its job unanswered", async () => {
  const { clock, dispatch } = bench();
  const answered = dispatch("gone", job);
  await clock.advance(10_000);
  assert.equal("trouble" in (await answered).report, true);
});
