import assert from "node:assert/strict";
import { test } from "node:test";

import { expired, retentionSetting } from "./backup-retention.ts";

const day = (text: string): { readonly at: number } => ({ at: Date.parse(`${text}Z`) });

function kept(rules: string, times: readonly string[]): readonly string[] {
  const backups = times.map(day);
  const gone = new Set(expired(backups, retentionSetting.parse(rules)));
  return times.filter((_, index) => {
    const backup = backups[index];
    return backup !== undefined && !gone.has(backup);
  });
}

const cases: readonly {
  readonly name: string;
  readonly rules: string;
  readonly times: readonly string[];
  readonly kept: readonly string[];
}[] = [
  { name: "nothing of nothing", rules: "last=1", times: [], kept: [] },
  {
    name: "the latest ones",
    rules: "last=2",
    times: ["2026-01-01T03:00", "2026-01-02T03:00", "2026-01-03T03:00"],
    kept: ["2026-01-02T03:00", "2026-01-03T03:00"],
  },
  {
    name: "the newest of each day",
    rules: "daily=2",
    times: ["2026-01-01T23:59", "2026-01-02T00:00", "2026-01-02T23:00", "2026-01-03T03:00"],
    kept: ["2026-01-02T23:00", "2026-01-03T03:00"],
  },
  {
    name: "days that have a backup, however long ago",
    rules: "daily=3",
    times: ["2020-05-01T03:00", "2023-05-01T03:00", "2026-01-03T03:00"],
    kept: ["2020-05-01T03:00", "2023-05-01T03:00", "2026-01-03T03:00"],
  },
  {
    name: "weeks that begin on Monday",
    rules: "weekly=2",
    times: ["2026-01-04T03:00", "2026-01-05T03:00", "2026-01-11T03:00", "2026-01-12T03:00"],
    kept: ["2026-01-11T03:00", "2026-01-12T03:00"],
  },
  {
    name: "months",
    rules: "monthly=2",
    times: ["2025-12-31T03:00", "2026-01-01T03:00", "2026-01-31T03:00", "2026-02-01T03:00"],
    kept: ["2026-01-31T03:00", "2026-02-01T03:00"],
  },
  {
    name: "what any rule keeps",
    rules: "daily=1, monthly=2",
    times: ["2025-12-31T03:00", "2026-01-30T03:00", "2026-01-31T03:00"],
    kept: ["2025-12-31T03:00", "2026-01-31T03:00"],
  },
  {
    name: "everything",
    rules: "all",
    times: ["2020-01-01T03:00", "2026-01-31T03:00"],
    kept: ["2020-01-01T03:00", "2026-01-31T03:00"],
  },
];

for (const { name, rules, times, kept: expected } of cases) {
  test(`${rules} keeps ${name}`, () => assert.deepEqual(kept(rules, times), expected));
}

test("a clock that ran years ahead for a night makes one backup expire, not all of them", () => {
  const nights = Array.from({ length: 7 }, (_, index) => `2026-01-0${index + 1}T03:00`);
  assert.deepEqual(kept("daily=7", [...nights, "2031-05-05T03:00"]), [
    ...nights.slice(1),
    "2031-05-05T03:00",
  ]);
});

for (const text of ["", "daily", "daily=0", "daily=7,daily=8", "hourly=3", "daily=7;last=1"]) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.match(
      retentionSetting.safeParse(text).error?.issues[0]?.message ?? "",
      /^must be "all", or numbers above 0 of last, daily, weekly, monthly, each once/,
    );
  });
}
