import assert from "node:assert/strict";
import { test } from "node:test";

import { DeliveryFailed } from "../kit/errors.ts";
import { hookAddress, notifierHarness } from "../../test/harnesses/notifier-harness.ts";
import type { NotifierHarness, Sender } from "../../test/harnesses/notifier-harness.ts";

const OK = { response: "200 OK" };
const refused = new DeliveryFailed("connect ECONNREFUSED", {
  retryable: true,
  receiverAway: true,
});
const second = 1000;
const minute = 60 * second;

interface Receiver {
  readonly sender: Sender;
  /** The instants of attempts, by the monotonic clock. */
  readonly attempts: { readonly at: number; readonly address: string; readonly id: string }[];
  /** Addresses whose receiver is away. */
  readonly away: Set<string>;
  readonly on: (bench: NotifierHarness) => void;
}

function receiverThatLeaves(...addresses: readonly string[]): Receiver {
  const away = new Set(addresses);
  const attempts: { at: number; address: string; id: string }[] = [];
  let now = (): number => 0;
  return {
    away,
    attempts,
    on(bench) {
      now = bench.clock.monotonic;
    },
    sender({ address, alertId: id }) {
      attempts.push({ at: now(), address, id });
      return away.has(address) ? Promise.reject(refused) : Promise.resolve(OK);
    },
  };
}

async function pass(bench: NotifierHarness, ms: number): Promise<void> {
  const end = bench.clock.monotonic() + ms;
  await bench.until("time passes", () => bench.clock.monotonic() >= end, 250);
}

/** The longest time between two attempts within a span. */
function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

const ANN = "http://ann.example.net/";

test("a receiver that was away for three minutes gets all that waits within 15 s of its return, in order", async () => {
  const receiver = receiverThatLeaves(ANN);
  await using bench = await notifierHarness({ sender: receiver.sender, checks: 40 });
  receiver.on(bench);
  for (const check of bench.checks) {
    await bench.flip(undefined, "failing", check);
    await pass(bench, 2 * second);
  }
  await pass(bench, 100 * second);
  const whileAway = receiver.attempts.map(({ at }) => at);
  assert.ok(longestGap(whileAway) <= 15 * second, `tried every ${longestGap(whileAway)} ms`);
  assert.ok(whileAway.length < 40, `one attempt at a time, not ${whileAway.length}`);
  receiver.away.clear();
  const returnedAt = bench.clock.monotonic();
  await bench.until(
    "all are delivered",
    async () => (await bench.ends()).every((end) => end === "first delivered"),
    250,
  );
  const accepted = receiver.attempts.filter(({ at }) => at >= returnedAt);
  assert.equal(accepted.length, 40, "each once");
  assert.ok((accepted.at(-1)?.at ?? Infinity) - returnedAt <= 16 * second);
  const ids = accepted.slice(1).map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted(), "in order, after the one that found it back");
});

test("after ten minutes a receiver that is away is tried every minute", async () => {
  const receiver = receiverThatLeaves(ANN);
  await using bench = await notifierHarness({ sender: receiver.sender, checks: 5 });
  receiver.on(bench);
  for (const check of bench.checks) await bench.flip(undefined, "failing", check);
  await pass(bench, 25 * minute);
  const began = receiver.attempts[0]?.at ?? 0;
  const later = receiver.attempts.map(({ at }) => at).filter((at) => at - began > 11 * minute);
  assert.ok(later.length >= 13 && later.length <= 18, `${later.length} in the last 14 minutes`);
  assert.ok(longestGap(later) <= minute);
  receiver.away.clear();
  const returnedAt = bench.clock.monotonic();
  await bench.until(
    "all are delivered",
    async () => (await bench.ends()).every((end) => end === "first delivered"),
    250,
  );
  assert.ok(bench.clock.monotonic() - returnedAt <= 61 * second);
});

test("a URL that fails on a host that serves another delays neither that one for long nor itself", async () => {
  const bad = "http://host.example.net/bad";
  const good = "http://host.example.net/good";
  const receiver = receiverThatLeaves(bad);
  await using bench = await notifierHarness({
    sender: receiver.sender,
    addresses: [hookAddress("bad", { address: bad }), hookAddress("good", { address: good })],
    notifications: [{ bad: "All" }, { good: "All" }],
    checks: 3,
  });
  receiver.on(bench);
  for (const check of bench.checks) await bench.flip(undefined, "failing", check);
  await pass(bench, 30 * second);
  assert.equal(receiver.attempts.filter(({ address }) => address === good).length, 3);
  await pass(bench, 4 * minute);
  receiver.away.clear();
  const returnedAt = bench.clock.monotonic();
  await bench.until(
    "all are delivered",
    async () => (await bench.ends()).every((end) => end === "first delivered"),
    250,
  );
  assert.ok(bench.clock.monotonic() - returnedAt <= 16 * second);
});

test("what waits for a receiver that never returns fails after six hours, each alert", async () => {
  const receiver = receiverThatLeaves(ANN);
  await using bench = await notifierHarness({ sender: receiver.sender, checks: 30 });
  receiver.on(bench);
  for (const check of bench.checks) await bench.flip(undefined, "failing", check);
  await bench.until(
    "all have failed",
    async () => (await bench.ends()).every((end) => end.startsWith("first failed")),
    15 * second,
  );
  const [first] = await bench.notifications();
  assert.ok(bench.clock.now() - (first?.dueAt ?? 0) < 6 * 60 * minute + 2 * minute);
  assert.ok(receiver.attempts.length < 500, `${receiver.attempts.length} attempts`);
});

test("a process that starts anew tries at once what another has waited with", async () => {
  const receiver = receiverThatLeaves(ANN);
  await using bench = await notifierHarness({ sender: receiver.sender, checks: 3 });
  receiver.on(bench);
  for (const check of bench.checks) await bench.flip(undefined, "failing", check);
  await pass(bench, 12 * minute);
  await bench.stop();
  receiver.away.clear();
  const stopping = new AbortController();
  const run = bench.another().run(stopping.signal);
  const startedAt = bench.clock.monotonic();
  await bench.until("all are delivered", async () =>
    (await bench.ends()).every((end) => end === "first delivered"),
  );
  assert.ok(bench.clock.monotonic() - startedAt <= 61 * second);
  stopping.abort();
  await run;
});
