import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { complement, overlaps, uptime, type Span } from "./span.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const from = Date.UTC(2026, 1, 27);

test("a month that was enabled throughout is up but for its down time", () => {
  const enabled = [{ start: Date.UTC(2026, 0, 1), end: undefined }];
  const rows = uptime({
    enabled,
    measured: enabled,
    down: [{ start: Date.UTC(2026, 0, 10), end: Date.UTC(2026, 0, 10) + 2_808_090 }],
    from: Date.UTC(2026, 0, 1),
    to: Date.UTC(2026, 1, 1),
    period: "months",
  });
  assert.deepEqual(
    [...rows],
    [
      ["2026-01", { enabledMs: 31 * DAY_MS, downMs: 2_808_090, percent: 99.895 }],
      ["total", { enabledMs: 31 * DAY_MS, downMs: 2_808_090, percent: 99.895 }],
    ],
  );
});

test("time that was not enabled counts neither for nor against", () => {
  const rows = uptime({
    enabled: [],
    measured: [],
    down: [{ start: from, end: from + DAY_MS }],
    from,
    to: from + DAY_MS,
    period: "days",
  });
  assert.deepEqual(rows.get("2026-02-27"), { enabledMs: 0, downMs: 0, percent: undefined });
});

test("there is no percentage of time before the first verdict, or in total without one", () => {
  const enabled = [{ start: from, end: undefined }];
  const range = { from, to: from + 3 * DAY_MS, period: "days" } as const;
  const percents = (measured: readonly Span[]): readonly (number | undefined)[] =>
    [...uptime({ enabled, measured, down: [], ...range }).values()].map(({ percent }) => percent);
  assert.deepEqual(percents([]), [undefined, undefined, undefined, undefined]);
  const measured = [{ start: from + 1.5 * DAY_MS, end: undefined }];
  assert.deepEqual(percents(measured), [undefined, 100, 100, 100]);
});

test("the end of the range is excluded and months break at GMT midnight", () => {
  const rows = uptime({
    enabled: [{ start: 0, end: undefined }],
    measured: [],
    down: [],
    from,
    to: Date.UTC(2026, 2, 2),
    period: "days",
  });
  assert.deepEqual([...rows.keys()], ["2026-02-27", "2026-02-28", "2026-03-01", "total"]);
});

/** Spans that follow each other, in whole hours from the start of the range; the last may be open. */
const spans = fc
  .array(fc.integer({ min: 0, max: 96 }), { maxLength: 12 })
  .map((hours) => [...new Set(hours)].toSorted((one, other) => one - other))
  .map((hours): readonly Span[] =>
    hours.flatMap((start, index) =>
      index % 2 === 0
        ? [
            {
              start: from + start * HOUR_MS,
              end:
                hours[index + 1] === undefined
                  ? undefined
                  : from + Number(hours[index + 1]) * HOUR_MS,
            },
          ]
        : [],
    ),
  );

test("uptime agrees with asking every hour whether the check was enabled and down", () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: 1, max: 96 }), (enabled, down, hours) => {
      const to = from + hours * HOUR_MS;
      const covers = (list: readonly Span[], at: number): boolean =>
        list.some(({ start, end }) => start <= at && at < (end ?? Infinity));
      const model = new Map<string, { enabledMs: number; downMs: number }>();
      for (let at = from; at < to; at += HOUR_MS) {
        for (const key of [new Date(at).toISOString().slice(0, 10), "total"]) {
          const row = model.get(key) ?? { enabledMs: 0, downMs: 0 };
          model.set(key, row);
          if (!covers(enabled, at)) continue;
          row.enabledMs += HOUR_MS;
          if (covers(down, at)) row.downMs += HOUR_MS;
        }
      }
      const rows = uptime({ enabled, measured: enabled, down, from, to, period: "days" });
      assert.deepEqual(new Set(rows.keys()), new Set(model.keys()));
      for (const [key, { enabledMs, downMs, percent }] of rows) {
        assert.deepEqual({ enabledMs, downMs }, model.get(key));
        assert.equal(percent === undefined, enabledMs === 0);
        const share = (100 * (enabledMs - downMs)) / enabledMs;
        assert.ok(percent === undefined || Math.abs(percent - share) < 0.000501);
      }
    }),
  );
});

test("an instant lies in a span or in the complement of the spans, and never in both", () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 0, max: 100 }), (enabled, hours) => {
      const at = from + hours * HOUR_MS;
      const holds = ({ start, end }: Span): boolean => start <= at && at < (end ?? Infinity);
      assert.notEqual(enabled.some(holds), complement(enabled, from).some(holds));
    }),
  );
});

for (const { name, span, range, result } of [
  { name: "within", span: { start: 2, end: 3 }, range: [1, 4], result: true },
  { name: "before", span: { start: 0, end: 1 }, range: [1, 4], result: false },
  { name: "after", span: { start: 4, end: 5 }, range: [1, 4], result: false },
  { name: "over the end", span: { start: 3, end: 5 }, range: [1, 4], result: true },
  {
    name: "open and begun before",
    span: { start: 0, end: undefined },
    range: [1, 4],
    result: true,
  },
  {
    name: "open and begun after",
    span: { start: 4, end: undefined },
    range: [1, 4],
    result: false,
  },
] as const) {
  test(`a span ${name} the range touches it: ${result}`, () => {
    assert.equal(overlaps(span, range), result);
  });
}
