import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import type { FromThread, ThreadReply } from "./protocol.ts";
import { createReplies } from "./replies.ts";

function collect() {
  const clock = fakeClock();
  const messages: FromThread[] = [];
  const replies = createReplies((text) => messages.push(JSON.parse(text)), clock);
  return {
    clock,
    messages,
    replies,
    numbers: () => messages.map((one) => one.replies.map(({ no }) => no)),
  };
}

function reportOf(outcome: Outcome): ThreadReply {
  const report = { startOffsetMs: 0, endOffsetMs: 1, outcome, connectivityConfirmed: false };
  return { kind: "report", report };
}

const good = reportOf(passed("200", "Success"));
const bad = reportOf(failed("timeout", "Timeout", "Timeout after 5 s"));

test("reports that agree with the state share a message, with what was counted and logged", async () => {
  const { clock, messages, replies, numbers } = collect();
  replies.add({ no: 1, value: good }, "passing");
  replies.meter.count("probe.untimed", { location: "here" });
  replies.meter.observe("probe.run", 5, { type: "HTTP" });
  replies.log.warn("probe.event_loop_lag", { stalledMs: 30 }, "here");
  await clock.advance(49);
  replies.add({ no: 2, value: good }, "passing");
  assert.equal(messages.length, 0);
  await clock.advance(1);
  assert.deepEqual(numbers(), [[1, 2]]);
  assert.deepEqual(messages[0]?.counts, [["probe.untimed", { location: "here" }, 1]]);
  assert.deepEqual(messages[0]?.observations, [["probe.run", 5, { type: "HTTP" }]]);
  assert.equal(messages[0]?.logs[0]?.condition, "here");
  await clock.advance(1000);
  assert.deepEqual([messages.length, clock.pending()], [1, 0]);
});

test("a report of a failure agrees with a failing check, and waits as well", async () => {
  const { clock, replies, numbers } = collect();
  replies.add({ no: 1, value: bad }, "failing");
  await clock.advance(49);
  assert.equal(numbers().length, 0);
  await clock.advance(1);
  assert.deepEqual(numbers(), [[1]]);
});

for (const [name, value, state] of [
  ["a failure of a passing check", bad, "passing"],
  ["a pass of a failing check", good, "failing"],
  ["a pass in a recheck, or of a check without a state", good, undefined],
  ["a failure in a recheck", bad, undefined],
  [
    "a run without an outcome",
    { kind: "report", report: { error: "busy", message: "busy" } },
    "passing",
  ],
  ["diagnostics", { kind: "findings", findings: [] }, undefined],
] as const) {
  test(`the reply of ${name} waits for nothing, and takes along what waits`, async () => {
    const { clock, replies, numbers } = collect();
    replies.add({ no: 1, value: good }, "passing");
    await clock.advance(20);
    replies.add({ no: 2, value }, state);
    replies.add({ no: 3, value }, state);
    await clock.advance(0);
    assert.deepEqual([numbers(), clock.pending()], [[[1, 2, 3]], 0]);
    replies.add({ no: 4, value: good }, "passing");
    await clock.advance(50);
    assert.deepEqual(numbers(), [[1, 2, 3], [4]]);
  });
}
