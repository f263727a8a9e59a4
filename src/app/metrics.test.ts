import assert from "node:assert/strict";
import { test } from "node:test";

import { createMetrics } from "./metrics.ts";

const gauges = { scheduledChecks: () => 7, canCommit: () => false };

test("counters and histograms are exposed under the names of their events, in base units", async () => {
  const { meter, expose } = createMetrics(gauges);
  meter.count("push.heartbeat", { status: "200" });
  meter.count("push.heartbeat", { status: "200" }, 2);
  meter.observe("probe.run", 12, { type: "PORT" });
  const { body, contentType } = await expose();
  assert.match(contentType, /^text\/plain/);
  assert.match(body, /^watchpost_push_heartbeat_total\{status="200"\} 3$/m);
  assert.match(body, /^watchpost_probe_run_seconds_bucket\{le="0.02",type="PORT"\} 1$/m);
  assert.match(body, /^watchpost_scheduler_checks 7$/m);
  assert.match(body, /^watchpost_store_can_commit 0$/m);
});

test("an undeclared event throws", () => {
  const { meter } = createMetrics(gauges);
  assert.throws(() => meter.count("push.heartbeet"), /no metric is declared for "push\.heartbeet"/);
  assert.throws(() => meter.observe("probe.ran", 1), /no metric is declared/);
});
