import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";

import { expectedResults } from "./expected.ts";
import { runHour } from "./hour.ts";
import { differences, type Shown } from "./judge.ts";
import { healthchecksLines, uptimeKumaLines, type Line } from "./lines.ts";

const minute = 60_000;
/** Long enough for each kind of trouble to occur once; `npm run cron` runs the whole hour. */
const MINUTES = 9;

suite("cron", { concurrency: true }, () => {
  test("lines of cron, as curl and wget run them, leave the results, states, run times and evidence of what they did", async () => {
    for (const command of ["curl", "wget"])
      assert.equal(spawnSync("which", [command]).status, 0, `${command} is needed`);
    const lines = [...healthchecksLines, ...uptimeKumaLines];
    const reported = await runHour({ lines, minutes: MINUTES, isReal: false });
    for (const { line, differences } of reported) assert.deepEqual(differences, [], line.command);
    const noticed = reported.filter(({ results }) =>
      results.some(({ m }) => /^(The last result is from|The run that began at) /.test(m)),
    );
    assert.ok(noticed.length >= 3, "silence, a run that hangs and one that was killed");
  });

  const from = Date.UTC(2026, 0, 5, 12);
  const line: Line = {
    cron: "*/5 * * * *",
    command: "",
    check: { grace: 2 },
    report: () => undefined,
  };
  const report = { passed: true, message: "Heartbeat received" };
  const ran = [0, 5, 15].map((minutes) => {
    const at = from + minutes * minute;
    return { startedAt: at, endedAt: at + 1000, report };
  });
  const expected = expectedResults(line, ran, from + 16 * minute);
  const shown: readonly Shown[] = expected.map(({ at, passed, isNoticed }) => ({
    s: at,
    su: passed,
    m: isNoticed ? "The last result is from noon" : report.message,
    rt: 0,
  }));
  const tolerance = { realMs: 5000, noticedMs: minute };
  const differ = (changed: readonly Shown[]): string =>
    differences(expected, changed, tolerance).join();

  test("a run that never starts is noticed once its grace time is over", () => {
    assert.deepEqual(
      expected.map(({ at, isNoticed }) => [(at - from) / minute, isNoticed]),
      [
        [1 / 60, false],
        [5 + 1 / 60, false],
        [12, true],
        [15 + 1 / 60, false],
      ],
    );
    assert.equal(differ(shown), "");
  });

  for (const [what, change, found] of [
    ["a false state", { su: false }, /FALSE STATE/],
    ["another message", { m: "OK" }, /says OK/],
    ["another run time", { rt: 7 }, /took 7 ms/],
    ["evidence of another", { evidence: "x" }, /has the evidence "x"/],
    ["a result before its time", { s: from - minute }, /too early/],
    ["a result after it", { s: from + minute }, /too late/],
  ] as const)
    test(`${what} is found`, () => {
      const [first, ...rest] = shown;
      assert.ok(first);
      assert.match(differ([{ ...first, ...change }, ...rest]), found);
    });

  test("a result too few and one too many are found", () => {
    assert.match(differ(shown.slice(0, -1)), /^no result for pass/);
    assert.match(differ([...shown, ...shown.slice(0, 1)]), /^a result that nobody caused/);
  });
});
