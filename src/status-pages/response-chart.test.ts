import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { summarizeRuns } from "../domain/run/run-summary.ts";
import { DAY_MS, dayOf } from "../domain/availability.ts";
import { HOUR_MS, type StoredSummary, type SummaryQuery } from "../store/results.ts";
import { textOf } from "../kit/html.ts";
import { createDates, wordsIn } from "./words.ts";
import { responseChart } from "./response-chart.ts";
import { createResponseTimes } from "./response-times.ts";

/** Creates a store in which each location's runs took a fixed time in every step except the fifth. */
function storeOf(times: Readonly<Record<string, readonly number[]>>) {
  const asked: SummaryQuery[] = [];
  let answer: Promise<void> = Promise.resolve();
  return {
    asked,
    hang: (until: Promise<void>): void => void (answer = until),
    store: {
      results: {
        async summaries(query: SummaryQuery): Promise<readonly StoredSummary[]> {
          asked.push(query);
          await answer;
          const { from, to, stepMs } = query;
          const stretches = Array.from(
            { length: (to - from) / stepMs },
            (_, index) => from + index * stepMs,
          );
          return stretches.flatMap((at, index) =>
            index === 4
              ? []
              : Object.entries(times).map(([location, ms]) => ({
                  at,
                  location,
                  summary: summarizeRuns(
                    ms.map((runtimeMs) => ({ passed: true, runtimeMs, timings: undefined })),
                  ),
                })),
          );
        },
      },
    },
  };
}

test("the times of whole hours and days are those of all locations, read once an hour", async () => {
  const clock = fakeClock();
  const { store, asked } = storeOf({ fra: [100, 100, 100], nyc: [300] });
  const times = createResponseTimes({ store, clock });
  const day = (await times.read([7], "24h")).get(7);
  await clock.advance(HOUR_MS - 1);
  await times.read([7], "24h");
  assert.deepEqual(asked, [
    {
      checkNo: 7,
      from: clock.now() + 1 - 25 * HOUR_MS,
      to: clock.now() + 1 - HOUR_MS,
      stepMs: HOUR_MS,
    },
  ]);
  assert.deepEqual([day?.points.length, day?.rows.length], [23, 8]);
  assert.deepEqual(day?.total, { ...day?.points[0], at: day?.from });
  // To 5 %.
  assert.deepEqual(
    [Math.round(day?.total.medianMs ?? 0), Math.round(day?.total.p95Ms ?? 0)],
    [102, 290],
  );
  await clock.advance(1);
  const months = (await times.read([7], "90d")).get(7);
  assert.equal(months?.from, dayOf(clock.now()) - 90 * DAY_MS);
  assert.deepEqual([months?.points.length, months?.rows.length], [89, 13]);
});

test("a check that is not timed has no chart, and one whose times take long to read has one later", async () => {
  const clock = fakeClock();
  const untimed = createResponseTimes({ store: storeOf({ fra: [0] }).store, clock });
  assert.equal((await untimed.read([1], "24h")).size, 0);
  const slow = storeOf({ fra: [10] });
  const answered = Promise.withResolvers<void>();
  slow.hang(answered.promise);
  const times = createResponseTimes({ store: slow.store, clock });
  const first = times.read([1], "24h");
  await clock.advance(500);
  assert.equal((await first).size, 0);
  answered.resolve();
  assert.equal((await times.read([1], "24h")).size, 1);
  assert.equal(slow.asked.length, 1);
});

test("a chart is a line that gaps interrupt, an area, and figures as text", async () => {
  const clock = fakeClock();
  const { store } = storeOf({ fra: [100, 100, 100, 400] });
  const times = (await createResponseTimes({ store, clock }).read([1], "24h")).get(1);
  assert.ok(times);
  const shown = { words: wordsIn("en"), dates: createDates("en", "UTC") };
  const markup = textOf(responseChart(times, shown));
  assert.match(
    markup,
    /aria-label="Response times of the last 24 hours: median 102 ms, 95% within 386 ms"/,
  );
  const [band = "", line = ""] = Array.from(markup.matchAll(/ d="([^"]*)"/g), ([, d = ""]) => d);
  // Points for four hours, and after the gap of nineteen.
  assert.match(line, /^M0 \d+l15 0 15 0 15 0M75 \d+l/);
  assert.match(band, /^M0 1l15 0 15 0 15 0 0 29 -15 0 -15 0 -15 0zM75 1l/);
  assert.equal(markup.match(/<tr>/g)?.length, 9);
  assert.doesNotMatch(markup, /style=|NaN/);
});
