import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { nextStart } from "./cron.ts";
import { expectedHeartbeat } from "./expected-heartbeat.ts";

const hour = 3_600_000;
const day = 24 * hour;
const monday = Date.UTC(2026, 0, 5);

/** Times in which nothing was heard, in order. */
const interruptions = fc.array(
  fc.record({ at: fc.nat({ max: 20 * day }), ms: fc.integer({ min: 1, max: day }) }),
  { maxLength: 30 },
);

/** What is expected by a living sender's rules, after interruptions since the last heartbeat. */
function expectedAfter(
  seen: number,
  list: readonly { readonly at: number; readonly ms: number }[],
  expected: (at: number) => number | undefined,
): number | undefined {
  const ends = (leastMs: number): readonly number[] =>
    list.flatMap(({ at, ms }) => (ms >= leastMs ? seen + at + ms : []));
  return expectedHeartbeat(
    {
      seen,
      heard: Math.max(seen, ...ends(0)),
      lastLongEnd: (leastMs) => Math.max(-Infinity, ...ends(leastMs)),
    },
    expected,
  );
}

for (const { name, expected } of [
  { name: "a day apart", expected: (at: number) => at + day },
  { name: "by a cron", expected: (at: number) => nextStart("0 3 * * 1-5", at, "Europe/Berlin") },
])
  test(`what is expected ${name} is never expected sooner for an interruption, and after brief ones one time later at most`, () => {
    fc.assert(
      fc.property(interruptions, (list) => {
        const first = expected(monday) ?? assert.fail();
        const second = expected(first) ?? assert.fail();
        const at = expectedAfter(monday, list, expected) ?? assert.fail();
        assert.ok(at >= first);
        const brief = list.filter(({ ms }) => ms < (second - first) / 10);
        assert.ok((expectedAfter(monday, brief, expected) ?? Infinity) <= second);
        const last = Math.max(monday, ...list.map(({ at: begun, ms }) => monday + begun + ms));
        assert.ok(at <= (expected(last) ?? Infinity));
      }),
    );
  });

test("after an interruption that may hide several, what comes after it is waited for", () => {
  const long = [{ at: 2 * day, ms: 3 * day }];
  assert.equal(
    expectedAfter(monday, long, (at) => at + day),
    monday + 6 * day,
  );
});

test("where nobody knows when the last one came, the last interruption counts, however brief", () => {
  const lastLongEnd = (): number => -Infinity;
  const heard = { seen: -Infinity, heard: monday, lastLongEnd };
  assert.equal(
    expectedHeartbeat(heard, (at) => at + day),
    monday + day,
  );
});
