import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { counters, createMetrics, histograms, type MetricDeclaration } from "./metrics.ts";

const gauges = {
  scheduledChecks: () => 7,
  canCommit: () => false,
  isShort: () => true,
  oldestCommitMs: () => 2500,
  probeThreads: () => 2,
  locations: () => [{ location: "ld", isOnline: true, resolverAnswers: false }],
};

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
  assert.match(body, /^watchpost_probe_online\{location="ld"\} 1$/m);
  assert.match(body, /^watchpost_probe_resolver_answers\{location="ld"\} 0$/m);
  assert.match(body, /^watchpost_store_oldest_commit_seconds 2.5$/m);
});

test("an undeclared event throws", () => {
  const { meter } = createMetrics(gauges);
  assert.throws(() => meter.count("push.heartbeet"), /no metric is declared for "push\.heartbeet"/);
  assert.throws(() => meter.observe("probe.ran", 1), /no metric is declared/);
});

test("promtool finds nothing to object to, whatever was counted and observed", async () => {
  const { meter, expose } = createMetrics(gauges);
  const labelsOf = ({ labels = [] }: MetricDeclaration) =>
    Object.fromEntries(labels.map((label) => [label, "x"]));
  for (const [event, declared] of Object.entries<MetricDeclaration>(counters))
    meter.count(event, labelsOf(declared));
  for (const [event, declared] of Object.entries<MetricDeclaration>(histograms))
    meter.observe(event, 5, labelsOf(declared));
  const { stdout, stderr, status } = spawnSync("promtool", ["check", "metrics"], {
    input: (await expose()).body,
    encoding: "utf8",
  });
  assert.deepEqual([stdout + stderr, status], ["", 0]);
});
