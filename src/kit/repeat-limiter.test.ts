import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { createRepeatLimiter } from "./repeat-limiter.ts";

const MINUTE_MS = 60_000;

function harness() {
  const clock = fakeClock();
  const limiter = createRepeatLimiter(clock);
  const lines: (readonly [text: string, repeated: number])[] = [];
  const submit = (text: string, name = "", event = "store.full"): void =>
    limiter.submit({ event, name }, (repeated) => lines.push([text, repeated]));
  return { clock, limiter, lines, submit };
}

test("the first line is written at once, and the latest of the others at the end of the minute with their number", async () => {
  const { clock, lines, submit } = harness();
  for (const text of ["one", "two", "three"]) submit(text);
  assert.deepEqual(lines, [["one", 0]]);
  await clock.advance(MINUTE_MS);
  assert.deepEqual(lines, [
    ["one", 0],
    ["three", 2],
  ]);
});

test("a condition that lasts has one line in each further minute, and one that ended has none", async () => {
  const { clock, lines, submit } = harness();
  for (let second = 0; second < 150; second += 1) {
    submit(String(second));
    await clock.advance(1000);
  }
  await clock.advance(10 * MINUTE_MS);
  assert.deepEqual(lines, [
    ["0", 0],
    ["59", 59],
    ["119", 60],
    ["149", 30],
  ]);
});

test("one that comes again after a quiet minute is written at once", async () => {
  const { clock, lines, submit } = harness();
  submit("one");
  await clock.advance(MINUTE_MS);
  submit("two");
  assert.deepEqual(lines, [
    ["one", 0],
    ["two", 0],
  ]);
});

test("events and conditions have lines of their own", () => {
  const { lines, submit } = harness();
  submit("a", "disk");
  submit("b", "network");
  submit("c", "disk", "notifier.failed");
  submit("d", "disk");
  assert.deepEqual(
    lines.map(([text]) => text),
    ["a", "b", "c"],
  );
});

test("of more conditions than anybody reads the rest share a line", async () => {
  const { clock, lines, submit } = harness();
  for (let each = 0; each < 1000; each += 1) submit(`line ${each}`, `condition ${each}`);
  assert.equal(lines.length, 21);
  await clock.advance(MINUTE_MS);
  assert.deepEqual(lines.slice(21), [["line 999", 979]]);
});

test("what waits is written before the process ends, once", async () => {
  const { clock, limiter, lines, submit } = harness();
  for (const text of ["one", "two", "three"]) submit(text);
  limiter.flush();
  limiter.flush();
  await clock.advance(MINUTE_MS);
  assert.deepEqual(lines, [
    ["one", 0],
    ["three", 2],
  ]);
});

test("whatever happens when, every occurrence is counted once and a minute has few lines", async () => {
  const happening = fc.record({
    afterMs: fc.integer({ min: 0, max: 90_000 }),
    name: fc.constantFrom("", "a", "b"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
      const { clock, limiter, lines, submit } = harness();
      const writtenAt = new Map<string, number[]>();
      for (const { afterMs, name } of happenings) {
        await clock.advance(afterMs);
        limiter.submit({ event: "other.event", name }, () => {
          writtenAt.set(name, [...(writtenAt.get(name) ?? []), clock.monotonic()]);
        });
        submit("each", name);
      }
      limiter.flush();
      const counted = lines.reduce((sum, [, repeated]) => sum + Math.max(1, repeated), 0);
      assert.equal(counted, happenings.length);
      for (const times of writtenAt.values())
        for (const [index, time] of times.slice(0, -1).entries())
          assert.ok(index === 0 || time - (times[index - 1] ?? 0) >= MINUTE_MS);
    }),
    { numRuns: 50 },
  );
});
