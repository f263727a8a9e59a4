import assert from "node:assert/strict";
import { test } from "node:test";

import { noon } from "../../../test/record-builders.ts";
import { failed, passed } from "../../domain/run/outcome.ts";
import { spanIdOf, traceOfResult, type TraceSpan } from "../../kit/tracing/tracer.ts";
import type { DecidedRun, TimedReport } from "./run.ts";
import { traceTick } from "./tick-spans.ts";

const timings = { dns: 5, connect: 9, total: 40 };
const outcomes = [
  { ...failed("timeout", "timeout", "secret of the target"), timings },
  { ...passed("200", "Success") },
];
const reports = outcomes.map((outcome, index): TimedReport => ({
  report: { startOffsetMs: 2, endOffsetMs: 42, outcome, connectivityConfirmed: false },
  location: ["aa", "bb"][index] ?? "",
  sentAt: noon + 100 * (index + 1),
  elapsedMs: 50,
}));
const runs = reports.map(({ location, sentAt }, index): DecidedRun => ({
  status: index === 0 ? "failed" : "passed",
  location,
  startedAt: sentAt + 2,
  endedAt: sentAt + 42,
  outcome: outcomes[index] ?? passed("", ""),
  connectivityConfirmed: false,
  resolverSilent: false,
}));
const tick = {
  due: { tick: noon, active: { check: { id: "CHECK", type: "HTTP" } } },
  runs,
  reports,
  verdict: { kind: "unchanged" },
  decidedAt: noon + 250,
  storedAt: noon + 260,
} as const;

function spansWith(takes: boolean): readonly TraceSpan[] {
  const spans: TraceSpan[] = [];
  traceTick({ takes: () => takes, record: (more) => void spans.push(...more) }, tick);
  return spans;
}

test("a tick is a trace of its jobs, their phases and the verdict, without what targets said", () => {
  const spans = spansWith(true);
  const traceId = traceOfResult("CHECK", noon + 202);
  const root = spanIdOf(traceId);
  assert.ok(spans.every((span) => span.traceId === traceId));
  assert.equal(new Set(spans.map(({ id }) => id)).size, spans.length);
  const jobs = spans.filter(({ name }) => name === "job").map(({ id }) => id);
  assert.deepEqual(
    spans.map(({ name, parentId, startedAt, endedAt, error }) => [
      name,
      parentId,
      startedAt - noon,
      endedAt - noon,
      error,
    ]),
    [
      ["check", undefined, 0, 260, undefined],
      ["schedule", root, 0, 100, undefined],
      ["job", root, 100, 150, "timeout"],
      ["dns", jobs[0], 102, 107, undefined],
      ["connect", jobs[0], 107, 111, undefined],
      ["rest", jobs[0], 111, 142, undefined],
      ["job", root, 200, 250, undefined],
      ["verdict", root, 250, 260, undefined],
    ],
  );
  assert.doesNotMatch(JSON.stringify(spans), /secret/);
});

test("a tick that is not to be traced makes no spans", () => {
  assert.deepEqual(spansWith(false), []);
});
