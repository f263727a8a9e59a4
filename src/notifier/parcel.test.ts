import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { Unavailable } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import { pack } from "./parcel.ts";
import { boxBench, companyMs, later, lost, never, OK, unwanted } from "../../test/box-bench.ts";
import type { Answer, Box } from "../../test/box-bench.ts";
import type { Bench } from "../../test/notifier-bench.ts";
import { aContact, alice, anAddress, minute } from "../../test/records.ts";
import { sampleAlert } from "../../test/sample-alert.ts";

async function goDown({ flip, checks }: Bench, from = 0): Promise<void> {
  for (const check of checks.slice(from)) await flip(undefined, "failing", check);
}

/** The first check's alert leaves at once, and those of the others together: their message finds the first of these answers. */
async function bundleOthers(
  { bench, seen, answer }: Box,
  ...answers: readonly Answer[]
): Promise<void> {
  answer(OK, ...answers);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
}

function all(text: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => text);
}

test("the first alert leaves at once, and those that follow soon leave together, each named once", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  const began = bench.clock.now();
  const [first] = bench.checks;
  await bench.flip(undefined, "failing", first);
  await bench.until("the first is out", () => seen.length === 1);
  assert.ok(bench.clock.now() - began < 1000);
  await goDown(bench, 1);
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.ok(bench.clock.now() - began <= companyMs + 1000);
  assert.equal(seen.length, 2);
  const [alone, together] = seen;
  assert.equal(alone?.id, alone?.alerts[0]);
  assert.equal(together?.alerts.length, 4);
  const told = await bench.notifications();
  assert.deepEqual(
    seen.flatMap(({ alerts }) => alerts).toSorted(),
    told.map(({ alertId }) => alertId).toSorted(),
  );
  assert.deepEqual(
    told.map(({ bundle, body, alertId }) =>
      bundle === undefined ? body : body === `part of ${alertId}` && bundle === together?.id,
    ),
    [`of ${told[0]?.alertId}`, true, true, true, true],
  );
});

test("a channel with more patience waits longer for more", async () => {
  await using box = await boxBench({ patience: 6 });
  const { bench, seen } = box;
  const began = bench.clock.now();
  await bundleOthers(box);
  await bench.until("the others are out", () => seen.length === 2);
  const took = bench.clock.now() - began;
  assert.ok(took >= 6 * companyMs && took < 6 * companyMs + 1000, `${took} ms`);
});

test("alerts that are due at the same time leave together at once", async () => {
  await using box = await boxBench();
  box.bench.notifier.wake();
  await Promise.all(box.bench.checks.map((check) => box.bench.flip(undefined, "failing", check)));
  await box.ends(5);
  assert.ok(box.seen.length <= 2, `${box.seen.length} messages`);
});

for (const { name, failure, tries } of [
  { name: "was refused for now", failure: later, tries: 2 },
  { name: "may have arrived", failure: lost, tries: 2 },
]) {
  test(`a bundle that ${name} goes out again as it was`, async () => {
    await using box = await boxBench();
    const { bench, seen, answer } = box;
    answer(OK, failure);
    await bench.flip(undefined, "failing");
    await bench.until("the first is out", () => seen.length === 1);
    await goDown(bench, 1);
    assert.deepEqual(await box.ends(5), all("first delivered", 5));
    const [, ...sent] = seen;
    assert.equal(sent.length, tries);
    assert.deepEqual(sent[1], sent[0]);
    const [notification] = (await bench.notifications()).slice(1);
    assert.equal(notification?.attempts, tries);
  });
}

test("a bundle that is refused for good fails with each of its alerts, and none of their Ups is sent", async () => {
  await using box = await boxBench();
  const { bench } = box;
  await bundleOthers(box, never);
  assert.deepEqual(await box.ends(5), ["first delivered", ...all("first failed 550 never", 4)]);
  for (const check of bench.checks) await bench.flip("failing", "passing", check);
  assert.equal((await box.ends(6)).at(-1), "up delivered");
});

test("a bundle that is refused for good, maybe for what one of its alerts says, is told one by one", async () => {
  await using box = await boxBench();
  const { seen } = box;
  await bundleOthers(box, unwanted, OK, unwanted);
  const ends = await box.ends(5);
  assert.deepEqual(ends.toSorted(), [
    ...all("first delivered", 4),
    "first failed 554 no such words",
  ]);
  assert.deepEqual(
    seen.map(({ alerts }) => alerts.length),
    [1, 4, 1, 1, 1, 1],
  );
});

test("where an alert of a bundle that surely has not left is cancelled, the others leave as another", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  await bundleOthers(box, later);
  await bench.until(
    "the bundle was refused",
    async () => (await bench.notifications())[4]?.response !== undefined,
  );
  await bench.flip("failing", "passing", bench.checks[2]);
  assert.deepEqual(await box.ends(6), [
    "first delivered",
    "first delivered",
    "first dropped recovered",
    "first delivered",
    "first delivered",
    "up dropped down_not_sent",
  ]);
  const [, refused, taken] = seen;
  assert.equal(seen.length, 3);
  assert.notEqual(taken?.id, refused?.id);
  assert.equal(taken?.alerts.length, 3);
});

test("where all but one alert of a refused bundle are cancelled, that one leaves under its own id", async () => {
  await using box = await boxBench({ checks: 3 });
  const { bench, seen } = box;
  await bundleOthers(box, later);
  await bench.until(
    "the bundle was refused",
    async () => (await bench.notifications())[2]?.response !== undefined,
  );
  await bench.flip("failing", "passing", bench.checks[1]);
  await box.ends(4);
  const last = (await bench.notifications())[2];
  assert.deepEqual(seen[2], {
    id: last?.alertId,
    alerts: [last?.alertId],
    text: `of ${last?.alertId}`,
    to: "ann@example.net",
  });
  assert.equal(last?.bundle, undefined);
});

test("no alert of a bundle that may have arrived is cancelled, and each Up follows its Down", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  await bundleOthers(box, lost);
  await bench.until(
    "the bundle may have arrived",
    async () => (await bench.notifications())[4]?.response !== undefined,
  );
  for (const check of bench.checks) await bench.flip("failing", "passing", check);
  const ends = await box.ends(10);
  assert.deepEqual(ends, [...all("first delivered", 5), ...all("up delivered", 5)]);
  assert.deepEqual(seen[2], seen[1]);
});

test("an alert that may have arrived on its own is put together with no others", async () => {
  await using box = await boxBench();
  const { bench, channel } = box;
  const [check] = bench.checks;
  assert.ok(check !== undefined);
  const wanted = ["lost", "one", "two"].map((id) => ({
    alert: sampleAlert("down", { id, possiblySent: id === "lost" }),
    check,
    address: anAddress("ann"),
    account: alice,
    kind: "down" as const,
  }));
  const { parcels } = await pack(wanted, {
    alerts: bench.store.alerts,
    keep: () => Promise.resolve(),
    part: () => Promise.resolve(),
    ids: createIds(),
    channels: [channel],
    company: new Map([["email", companyMs]]),
    alone: new Set(),
    url: "https://watch.example.org/",
    log: silentLog,
  });
  assert.deepEqual(
    parcels.map(({ items }) => items.map(({ alert }) => alert.id)),
    [["lost"], ["one", "two"]],
  );
});

test("a bundle that may have arrived goes out again as it was, though a check of it is gone", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  await bundleOthers(box, lost);
  await bench.until("the bundle may have arrived", () => seen.length === 2);
  await bench.store.write((tx) => tx.checks.remove(alice.id, "check2", bench.clock.now()));
  assert.equal((await box.ends(5))[2], "first dropped deleted");
  assert.deepEqual(seen[2], seen[1]);
});

test("an alert that is not wanted is in no bundle", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  const [first, second] = bench.checks;
  assert.ok(second !== undefined);
  await bench.store.write((tx) => tx.checks.update({ ...second, mute: true }, bench.clock.now()));
  await bench.flip(undefined, "failing", first);
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
  await box.ends(5);
  assert.equal(seen[1]?.alerts.length, 3);
});

test("where no bundle can be kept each alert leaves on its own", async () => {
  let broken = false;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) => (broken ? Promise.reject(new Unavailable("disk full")) : store.write(unit)),
  });
  await using box = await boxBench({ wrap });
  const { bench, seen } = box;
  broken = true;
  await goDown(bench);
  await bench.until("all are out", () => seen.length === 5);
  assert.ok(seen.every(({ id, alerts }) => alerts.join() === id));
  broken = false;
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.equal(seen.length, 5);
});

test("a bundle holds at most a hundred alerts", async () => {
  await using box = await boxBench({ checks: 230 });
  const { seen } = box;
  await bundleOthers(box);
  await box.ends(230);
  const sizes = seen.slice(1).map(({ alerts }) => alerts.length);
  assert.equal(Math.max(...sizes), 100);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    229,
  );
  assert.ok(sizes.length <= 5, `${sizes.length} messages`);
});

test("a bundle that goes out again, to an address that was changed meanwhile, was sent to that one", async () => {
  await using box = await boxBench();
  const { bench, seen } = box;
  await bundleOthers(box, later);
  await bench.until("the bundle was refused", () => bench.events.includes("notifier.retry"));
  const addresses = [anAddress("ann", { address: "ann@example.org" })];
  await bench.store.write((tx) => tx.contacts.update(aContact("ann", { addresses })));
  await box.ends(5);
  assert.deepEqual(
    (await bench.notifications()).map(({ to }) => to),
    ["ann@example.net", ...all("ann@example.org", 4)],
  );
  assert.deepEqual(seen[2], { ...seen[1], to: "ann@example.org" });
});

test("a bundle for a destination that hangs does not keep the others waiting", async () => {
  const addresses = [anAddress("stuck"), anAddress("good", { address: "good@example.org" })];
  await using box = await boxBench({ addresses, notifications: [{ stuck: "All" }], checks: 101 });
  const { bench, seen, answer } = box;
  const last = bench.checks[100];
  assert.ok(last !== undefined);
  answer(...Array.from({ length: 9 }, () => new Promise<never>(() => {})));
  for (const check of bench.checks.slice(0, 100)) await bench.flip(undefined, "failing", check);
  await bench.until("most hang", () => seen.some(({ alerts }) => alerts.length > 64));
  const began = bench.clock.now();
  await bench.flip(undefined, "failing", { ...last, notifications: [{ good: "All" }] });
  await bench.until("the other is out", () => seen.some(({ to }) => to === "good@example.org"));
  assert.ok(bench.clock.now() - began < companyMs);
});

test("a bundle that cannot be read is tried again, and takes nothing else along", async () => {
  let unreadable = false;
  const wrap = (store: Store): Store => ({
    ...store,
    alerts: {
      ...store.alerts,
      async findBundle(id) {
        if (unreadable) throw new Error("disk I/O error");
        return store.alerts.findBundle(id);
      },
    },
  });
  await using box = await boxBench({ wrap });
  const { bench, seen, answer } = box;
  answer(OK, later);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  for (const check of bench.checks.slice(1, 4)) await bench.flip(undefined, "failing", check);
  await bench.until("the bundle was refused", () => bench.events.includes("notifier.retry"));
  unreadable = true;
  await bench.until("it cannot be read", () => bench.events.includes("notifier.broke"));
  await bench.flip(undefined, "failing", bench.checks[4]);
  await bench.until("another is out", async () => (await bench.ends())[4] === "first delivered");
  unreadable = false;
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.deepEqual(seen.at(-1), seen[1]);
});

test("the last alert of a refused bundle, of which nobody knows whether it left on its own, does not come in that bundle again", async () => {
  let broken = false;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) => (broken ? Promise.reject(new Unavailable("gone")) : store.write(unit)),
  });
  await using box = await boxBench({ checks: 3, wrap });
  const { bench, seen } = box;
  await bundleOthers(box, later, new Promise(() => {}));
  await bench.until(
    "the bundle was refused",
    async () => (await bench.notifications())[2]?.response !== undefined,
  );
  await bench.flip("failing", "passing", bench.checks[1]);
  await bench.until("the last leaves on its own", () => seen.length === 3);
  // As if it were killed: what it knows is lost.
  broken = true;
  await Promise.all([bench.stop(), bench.clock.advance(minute)]);
  broken = false;
  const stopping = new AbortController();
  const run = bench.another().run(stopping.signal);
  await box.ends(4);
  assert.equal(seen.length, 4);
  assert.deepEqual(seen[3], seen[2]);
  stopping.abort();
  await run;
});

test("whatever the receiver answers, every alert has one end, and what may have arrived never comes as another message", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(OK, later, lost, never, unwanted), { maxLength: 12 }),
      fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 20 }),
      async (answers, beats) => {
        await using box = await boxBench({ checks: 8 });
        const { bench, seen, answer } = box;
        answer(...answers);
        const down = new Set<number>();
        for (const beat of beats) {
          const isDown = down.has(beat);
          await bench.flip(
            isDown ? "failing" : "passing",
            isDown ? "passing" : "failing",
            bench.checks[beat],
          );
          if (isDown) down.delete(beat);
          else down.add(beat);
          await bench.clock.advance(700);
        }
        await bench.until(
          "all is over",
          async () => (await bench.ends()).every((end) => !end.includes("waiting")),
          1000,
        );
        assert.deepEqual(box.strays, []);
        const sent = Map.groupBy(seen, ({ id }) => id);
        for (const same of sent.values())
          assert.equal(new Set(same.map(({ alerts }) => alerts.join())).size, 1);
        const told = await bench.notifications();
        for (const { alertId, status } of told.filter((each) => each.status === "delivered"))
          assert.ok(
            seen.some(({ alerts }) => alerts.includes(alertId)),
            `${alertId} is ${status}`,
          );
        for (const [index, { checkId, kind, status }] of told.entries()) {
          if (kind !== "up" || status !== "delivered") continue;
          const before = told.slice(0, index).findLast((each) => each.checkId === checkId);
          assert.ok(
            before?.kind === "down" && before.status !== "dropped",
            "an Up without its Down",
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});
