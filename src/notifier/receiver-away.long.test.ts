import assert from "node:assert/strict";
import { test } from "node:test";

import { hookAddress } from "../../test/harnesses/notifier-harness.ts";
import { awayHarness, longestGap } from "../../test/harnesses/receiver-that-leaves.ts";

const second = 1000;
const minute = 60 * second;

test("a receiver that was away for three minutes gets all that waits within 15 s of its return, in order", async () => {
  await using bench = await awayHarness({ checks: 40 });
  await bench.allGoDown(2 * second);
  await bench.pass(100 * second);
  const whileAway = bench.attempts.map(({ at }) => at);
  assert.ok(longestGap(whileAway) <= 15 * second, `tried every ${longestGap(whileAway)} ms`);
  assert.ok(whileAway.length < 40, `one attempt at a time, not ${whileAway.length}`);
  assert.ok((await bench.returnedWithin()) <= 16 * second);
  const accepted = bench.attempts.slice(whileAway.length);
  assert.equal(accepted.length, 40, "each once");
  const ids = accepted.slice(1).map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted(), "in order, after the one that found it back");
});

test("after ten minutes a receiver that is away is tried every minute", async () => {
  await using bench = await awayHarness({ checks: 5 });
  await bench.allGoDown();
  await bench.pass(25 * minute);
  const began = bench.attempts[0]?.at ?? 0;
  const later = bench.attempts.map(({ at }) => at).filter((at) => at - began > 11 * minute);
  assert.ok(later.length >= 13 && later.length <= 18, `${later.length} in the last 14 minutes`);
  assert.ok(longestGap(later) <= minute);
  assert.ok((await bench.returnedWithin()) <= 61 * second);
});

test("a URL that fails on a host that serves another delays neither that one for long nor itself", async () => {
  const bad = "http://host.example.net/bad";
  const good = "http://host.example.net/good";
  await using bench = await awayHarness({
    leaving: [bad],
    addresses: [hookAddress("bad", { address: bad }), hookAddress("good", { address: good })],
    notifications: [{ bad: "All" }, { good: "All" }],
    checks: 3,
  });
  await bench.allGoDown();
  await bench.pass(30 * second);
  assert.equal(bench.attempts.filter(({ address }) => address === good).length, 3);
  await bench.pass(4 * minute);
  assert.ok((await bench.returnedWithin()) <= 16 * second);
});

test("what waits for a receiver that never returns fails after six hours, each alert", async () => {
  await using bench = await awayHarness({ checks: 30 });
  await bench.allGoDown();
  await bench.until(
    "all have failed",
    async () => (await bench.ends()).every((end) => end.startsWith("first failed")),
    15 * second,
  );
  const [first] = await bench.notifications();
  assert.ok(bench.clock.now() - (first?.dueAt ?? 0) < 6 * 60 * minute + 2 * minute);
  assert.ok(bench.attempts.length < 500, `${bench.attempts.length} attempts`);
});

test("a process that starts anew tries at once what another has waited with", async () => {
  await using bench = await awayHarness({ checks: 3 });
  await bench.allGoDown();
  await bench.pass(12 * minute);
  await bench.stop();
  const stopping = new AbortController();
  const run = bench.another().run(stopping.signal);
  assert.ok((await bench.returnedWithin()) <= 61 * second);
  stopping.abort();
  await run;
});
