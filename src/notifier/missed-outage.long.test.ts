import assert from "node:assert/strict";
import { test } from "node:test";

import {
  digestChannel,
  hookAddress,
  type NotifierHarness,
} from "../../test/harnesses/notifier-harness.ts";
import { awayHarness, type AwayHarness } from "../../test/harnesses/receiver-that-leaves.ts";
import { aContact, alice } from "../../test/record-builders.ts";
import type { Check } from "../domain/check.ts";
import type { Address } from "../domain/contact/contact.ts";
import { dayNames } from "../domain/schedule.ts";

const second = 1000;
const minute = 60 * second;

async function endsAs(bench: NotifierHarness, ...expected: readonly string[]): Promise<void> {
  await bench.until(
    expected.join(", "),
    async () => (await bench.ends()).join() === expected.join(),
    250,
  );
}

/** An outage of four minutes while its receiver is away, which then returns. */
async function comeAndGone(bench: AwayHarness): Promise<void> {
  await bench.allGoDown();
  await bench.pass(4 * minute);
  for (const check of bench.checks) await bench.flip("failing", "passing", check);
  await bench.pass(minute);
  bench.away.clear();
}

test("an outage that came and went while its receiver was away is told once, when that is back", async () => {
  await using bench = await awayHarness();
  await comeAndGone(bench);
  await endsAs(bench, "first dropped recovered", "missed delivered");
  const [last, ...more] = bench.attempts.filter(({ kind }) => kind === "missed").toReversed();
  assert.ok(last);
  assert.deepEqual([...new Set(more.map(({ id }) => id))], [...new Set(more.map(() => last.id))]);
  await bench.pass(10 * minute);
  assert.equal(bench.attempts.at(-1), last, "once");
});

test("outages of which no alert was tried, for the receiver was away, are told each", async () => {
  await using bench = await awayHarness({ checks: 30 });
  await comeAndGone(bench);
  const ends = bench.checks.flatMap(() => ["first dropped recovered", "missed delivered"]);
  await bench.until(
    "all are told",
    async () => (await bench.ends()).toSorted().join() === ends.toSorted().join(),
    250,
  );
  const tried = new Set(bench.attempts.filter(({ kind }) => kind === "first").map(({ id }) => id));
  assert.ok(tried.size < bench.checks.length, "some Downs were never tried");
});

test("what a channel sends together it sends so of outages that were missed", async () => {
  await using bench = await awayHarness({
    checks: 30,
    groupWaitMs: 5 * second,
    channel: digestChannel,
  });
  await comeAndGone(bench);
  await bench.until(
    "all are told",
    async () => (await bench.ends()).filter((end) => end === "missed delivered").length === 30,
    250,
  );
  const messages = new Set(bench.attempts.slice(-30).map(({ message }) => message));
  assert.ok(messages.size <= 3, `${messages.size} messages`);
});

test("a receiver that returns during the outage gets the Down and the Up", async () => {
  await using bench = await awayHarness();
  await bench.allGoDown();
  await bench.pass(minute);
  bench.away.clear();
  await endsAs(bench, "first delivered");
  await bench.flip("failing", "passing");
  await endsAs(bench, "first delivered", "up delivered");
});

test("several outages of a check that were missed are told in their order, before what follows", async () => {
  await using bench = await awayHarness();
  await bench.flip(undefined, "failing");
  for (let outage = 0; outage < 2; outage += 1) {
    await bench.pass(minute);
    await bench.flip("failing", "passing");
    await bench.pass(minute);
    await bench.flip("passing", "failing");
  }
  await bench.pass(minute);
  bench.away.clear();
  await endsAs(
    bench,
    "first dropped recovered",
    "missed delivered",
    "down dropped recovered",
    "missed delivered",
    "down delivered",
  );
  const accepted = bench.attempts.slice(-3).map(({ kind, id }) => `${kind} ${id}`);
  assert.deepEqual(accepted, ["missed id-0004", "missed id-0008", "down id-0010"]);
});

test("an outage that was missed is told by the process that starts next", async () => {
  await using bench = await awayHarness();
  await bench.allGoDown();
  await bench.pass(minute);
  await bench.stop();
  await bench.flip("failing", "passing");
  bench.away.clear();
  const stopping = new AbortController();
  const runs = [bench.another(), bench.another()].map(({ run }) => run(stopping.signal));
  await endsAs(bench, "first dropped recovered", "missed delivered");
  await bench.pass(minute);
  assert.equal(bench.attempts.filter(({ kind }) => kind === "missed").length, 1);
  stopping.abort();
  await Promise.all(runs);
});

test("an outage that outlasted the time of its alert is told once its receiver is back", async () => {
  await using bench = await awayHarness();
  await bench.allGoDown();
  await bench.until(
    "it has failed",
    async () => (await bench.ends()).every((end) => end.startsWith("first failed")),
    15 * second,
  );
  await bench.flip("failing", "passing");
  bench.away.clear();
  await bench.until(
    "it is told",
    async () => (await bench.ends()).at(-1) === "missed delivered",
    250,
  );
});

for (const { name, change, reason } of [
  {
    name: "the check is muted meanwhile",
    change: (bench: AwayHarness) => changeCheck(bench, { mute: true }),
    reason: "check_muted",
  },
  {
    name: "the address suppresses all meanwhile",
    change: (bench: AwayHarness) =>
      changeAddress(bench, { suppress: { ...hookAddress("ann").suppress, all: true } }),
    reason: "address_suppressed",
  },
  {
    name: "the address is muted meanwhile",
    change: (bench: AwayHarness) => changeAddress(bench, { mute: true }),
    reason: "address_muted",
  },
  {
    name: "the recipient is removed meanwhile",
    change: (bench: AwayHarness) => bench.store.write((tx) => tx.contacts.remove(alice.id, "ann")),
    reason: "recipient_gone",
  },
]) {
  test(`an outage that was missed is told to nobody where ${name}`, async () => {
    await using bench = await awayHarness();
    await bench.allGoDown();
    await bench.pass(minute);
    await bench.flip("failing", "passing");
    await change(bench);
    bench.away.clear();
    await endsAs(bench, "first dropped recovered", `up dropped ${reason}`);
  });
}

for (const [received, end, drops] of [
  ["gets an incident", "missed delivered", false],
  ["and would notify nobody of it gets nothing", "up dropped incident_service", true],
] as const)
  test(`of an outage that was missed, a service that keeps incidents open ${received}`, async () => {
    await using bench = await awayHarness({
      channel: (sender) => ({
        ...digestChannel(sender),
        resolvesIncidents: () => true,
        dropsPastOutages: () => drops,
      }),
    });
    await comeAndGone(bench);
    await endsAs(bench, "first dropped recovered", end);
  });

for (const { name, prepare, reason } of [
  {
    name: "whose window was closed",
    prepare: (bench: AwayHarness) => changeCheck(bench, { notifications: [{ ann: "Nights" }] }, 1),
    reason: "outside_window",
  },
  {
    name: "that was in a mute",
    prepare: (bench: AwayHarness) =>
      changeCheck(bench, { mute: bench.clock.now() + 3 * minute }, 1),
    reason: "check_muted",
  },
  {
    name: "while the check that it depends on was down",
    prepare: (bench: AwayHarness) => changeCheck(bench, { dependsOn: "check0" }, 1),
    reason: "dependency_down",
  },
]) {
  test(`an outage ${name} is not told later because its receiver was away`, async () => {
    await using bench = await awayHarness({ checks: 2 });
    await bench.store.write((tx) => tx.schedules.put(alice.id, nights));
    await prepare(bench);
    await bench.allGoDown(second);
    await bench.pass(2 * minute);
    for (const check of bench.checks) await bench.flip("failing", "passing", check);
    await bench.pass(10 * minute);
    bench.away.clear();
    await endsAs(
      bench,
      "first dropped recovered",
      "first dropped recovered",
      "missed delivered",
      `up dropped ${reason}`,
    );
  });
}

const nights = {
  name: "Nights",
  days: Object.fromEntries(dayNames.map((day) => [day, { time1: "18:00", time2: "23:00" }])),
};

async function changeCheck(bench: AwayHarness, changes: Partial<Check>, index = 0): Promise<void> {
  const check = bench.checks[index];
  assert.ok(check);
  await bench.store.write((tx) => tx.checks.update({ ...check, ...changes }, bench.clock.now()));
}

async function changeAddress(bench: AwayHarness, changes: Partial<Address>): Promise<void> {
  const addresses = [hookAddress("ann", changes)];
  await bench.store.write((tx) => tx.contacts.update(aContact("ann", { addresses })));
}
