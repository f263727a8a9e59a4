import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { noon } from "../../../test/record-builders.ts";
import { passed } from "../../domain/run/outcome.ts";
import { runOf, type DecidedRun } from "./run.ts";

async function decided(
  offsets: { readonly start: number; readonly end: number },
  elapsedMs: number,
  lastStart: number,
): Promise<DecidedRun> {
  const outcome = passed("200", "Success");
  const report = {
    startOffsetMs: offsets.start,
    endOffsetMs: offsets.end,
    outcome,
    connectivityConfirmed: false,
  };
  const startOf = async (at: number): Promise<number> => Math.max(at, lastStart + 1);
  const run = await runOf({ report, location: "ld", sentAt: noon, elapsedMs }, startOf);
  assert.ok(run.status !== "undecided");
  return run;
}

for (const { name, start, end, elapsed, lastStart, times } of [
  { name: "starts at its offset", start: 3, end: 40, elapsed: 50, lastStart: 0, times: [3, 40] },
  {
    name: "begins after the one before, and keeps its duration",
    start: 3,
    end: 40,
    elapsed: 50,
    lastStart: noon + 1000,
    times: [1001, 1038],
  },
  {
    name: "takes no longer than the request for it",
    start: 3,
    end: 9000,
    elapsed: 50,
    lastStart: 0,
    times: [3, 50],
  },
  {
    name: "never ends before it begins",
    start: 30,
    end: 10,
    elapsed: 50,
    lastStart: 0,
    times: [30, 30],
  },
  {
    name: "never begins before its job was sent",
    start: -9,
    end: 10,
    elapsed: 50,
    lastStart: 0,
    times: [0, 10],
  },
]) {
  test(`a run ${name}`, async () => {
    const { startedAt, endedAt } = await decided({ start, end }, elapsed, lastStart);
    assert.deepEqual([startedAt - noon, endedAt - noon], times);
  });
}

test("whatever a probe reports, a run begins after the last and ends within its time", async () => {
  const offset = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const offsets = fc.record({ start: offset, end: offset });
  await fc.assert(
    fc.asyncProperty(offsets, fc.nat(100_000), fc.integer(), async (reported, elapsed, ahead) => {
      const lastStart = noon + ahead;
      const { startedAt, endedAt } = await decided(reported, elapsed, lastStart);
      assert.ok(startedAt > lastStart && Number.isInteger(startedAt));
      assert.ok(endedAt >= startedAt && endedAt - startedAt <= elapsed);
    }),
  );
});
