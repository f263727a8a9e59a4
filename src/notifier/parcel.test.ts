import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Channel, Receipt } from "../channels/channel.ts";
import { DeliveryFailed, Unavailable } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import { pack } from "./parcel.ts";
import { scriptedChannel, notifierBench } from "../../test/notifier-bench.ts";
import type { Bench, BenchOptions } from "../../test/notifier-bench.ts";
import { alice, anAddress } from "../../test/records.ts";
import { sampleAlert } from "../../test/sample-alert.ts";

const OK = { response: "250 taken" };
const later = new DeliveryFailed("451 later", { retryable: true });
const lost = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });
const never = new DeliveryFailed("550 never", { retryable: false });
const companyMs = 5000;

/** A message as its receiver saw it. */
interface Seen {
  readonly id: string;
  readonly alerts: readonly string[];
  readonly text: string;
}

interface Box extends AsyncDisposable {
  readonly bench: Bench;
  readonly channel: Channel;
  readonly seen: readonly Seen[];
  /** Alerts that came in another message than the one in which they may have arrived. */
  readonly strays: readonly string[];
  /** What becomes of the next messages; all that follow are taken. */
  readonly answer: (...answers: readonly (DeliveryFailed | Receipt)[]) => void;
  /** Once every alert has its end: each as `kind status reason`. */
  readonly ends: (count: number) => Promise<readonly string[]>;
}

/** A receiver that takes several alerts in a message. */
async function boxBench(options: BenchOptions = {}): Promise<Box> {
  const seen: Seen[] = [];
  const answers: (DeliveryFailed | Receipt)[] = [];
  const strays: string[] = [];
  /** The message in which an alert may have arrived. */
  const arrived = new Map<string, string>();
  const channel: Channel = scriptedChannel(() => Promise.resolve(OK), {
    kind: "email",
    render: ({ alert }) => ({
      subject: "one",
      body: `of ${alert.id}`,
      headers: { id: alert.id, alerts: alert.id },
    }),
    renderTogether: (tellings, id) => ({
      subject: "many",
      body: `of ${tellings.length}`,
      headers: { id, alerts: tellings.map(({ alert }) => alert.id).join() },
      parts: tellings.map(({ alert }) => `part of ${alert.id}`),
    }),
    send(_, { body, headers = {} }) {
      const { id = "", alerts = "" } = headers;
      seen.push({ id, alerts: alerts.split(","), text: body });
      const answer = answers.shift() ?? OK;
      for (const alert of alerts.split(",")) {
        if ((arrived.get(alert) ?? id) !== id) strays.push(alert);
        if (answer === OK || answer === lost) arrived.set(alert, id);
      }
      return answer instanceof DeliveryFailed ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const bench = await notifierBench({
    channel,
    companyMs,
    addresses: [anAddress("ann")],
    checks: 5,
    ...options,
  });
  return {
    bench,
    channel,
    seen,
    strays,
    answer: (...given) => void answers.push(...given),
    async ends(count) {
      await bench.until("all is over", async () => {
        const ends = await bench.ends();
        return ends.length === count && ends.every((end) => !end.includes("waiting"));
      });
      return bench.ends();
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

async function goDown({ flip, checks }: Bench, from = 0): Promise<void> {
  for (const check of checks.slice(from)) await flip(undefined, "failing", check);
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
  const { bench, seen, answer } = box;
  answer(OK, never);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
  assert.deepEqual(await box.ends(5), ["first delivered", ...all("first failed 550 never", 4)]);
  for (const check of bench.checks) await bench.flip("failing", "passing", check);
  assert.equal((await box.ends(6)).at(-1), "up delivered");
});

test("where an alert of a bundle that surely has not left is cancelled, the others leave as another", async () => {
  await using box = await boxBench();
  const { bench, seen, answer } = box;
  answer(OK, later);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
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
  const { bench, seen, answer } = box;
  answer(OK, later);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
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
  });
  assert.equal(last?.bundle, undefined);
});

test("no alert of a bundle that may have arrived is cancelled, and each Up follows its Down", async () => {
  await using box = await boxBench();
  const { bench, seen, answer } = box;
  answer(OK, lost);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
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
    alert: sampleAlert("down", { id, mayHaveLeft: id === "lost" }),
    check,
    address: anAddress("ann"),
    account: alice,
    kind: "down" as const,
  }));
  const parcels = await pack(wanted, {
    alerts: bench.store.alerts,
    keep: () => Promise.resolve(),
    ids: createIds(),
    channels: [channel],
    company: { kinds: ["email"], waitMs: companyMs },
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
  const { bench, seen, answer } = box;
  answer(OK, lost);
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
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
  const { bench, seen } = box;
  await bench.flip(undefined, "failing");
  await bench.until("the first is out", () => seen.length === 1);
  await goDown(bench, 1);
  await box.ends(230);
  const sizes = seen.slice(1).map(({ alerts }) => alerts.length);
  assert.equal(Math.max(...sizes), 100);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    229,
  );
  assert.ok(sizes.length <= 5, `${sizes.length} messages`);
});

test("whatever the receiver answers, every alert has one end, and what may have arrived never comes as another message", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(OK, later, lost, never), { maxLength: 12 }),
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
