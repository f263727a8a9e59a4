import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { lengthSince } from "../../../kit/interruptions.ts";
import { createReceptionObserver } from "./reception-observer.ts";
import type { ReceptionRow } from "./reception-rows.ts";

/** Processes that are read once a second; each beats unless it is frozen. */
function scene(...ids: readonly string[]) {
  const clock = fakeClock();
  const observer = createReceptionObserver(clock);
  const rows = new Map<string, ReceptionRow>();
  const frozen = new Set<string>();
  const put = (id: string, changes: Partial<ReceptionRow> = {}): void => {
    const before = rows.get(id) ?? { id, beat: 0, interruptions: 0, is_deaf: false };
    rows.set(id, { ...before, ...changes });
  };
  for (const id of ids) put(id);
  return {
    put,
    frozen,
    leave: (id: string) => void rows.delete(id),
    live: observer.live,
    begin: observer.begin,
    now: clock.monotonic,
    lostSince: (start: number) => lengthSince(start, observer.lost()),
    /** For how long all have heard. */
    heardMs: () => clock.monotonic() - observer.lastEnd(),
    /** No process can read, and all unfrozen ones continue. */
    async unread(seconds: number) {
      await clock.advance(seconds * 1000);
      for (const { id, beat } of rows.values())
        if (!frozen.has(id)) put(id, { beat: beat + seconds });
    },
    /** Simulates a stalled database: no process can read or renew. */
    stall: (seconds: number) => clock.advance(seconds * 1000),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1000);
        for (const { id, beat } of rows.values()) if (!frozen.has(id)) put(id, { beat: beat + 1 });
        for (const { id } of observer.read([...rows.values()])) rows.delete(id);
      }
    },
  };
}

test("while every process beats, all is heard from the first read on", async () => {
  const site = scene("one", "two");
  assert.equal(site.heardMs(), 0);
  await site.pass(1);
  assert.equal(site.heardMs(), 0);
  await site.pass(60);
  assert.equal(site.heardMs(), 60_000);
  assert.equal(site.live(), 2);
});

test("without a process nothing is heard, and one that comes hears from then on", async () => {
  const site = scene();
  await site.pass(60);
  assert.equal(site.heardMs(), 0);
  site.put("one");
  await site.pass(11);
  assert.equal(site.heardMs(), 10_000);
});

test("one that comes, goes, or reports an interruption that is over restarts the wait once", async () => {
  const site = scene("one");
  for (const change of [
    () => site.put("two"),
    () => site.put("two", { interruptions: 1 }),
    () => site.leave("two"),
  ]) {
    await site.pass(20);
    assert.ok(site.heardMs() >= 18_000);
    change();
    await site.pass(1);
    assert.equal(site.heardMs(), 0);
  }
});

test("while one is interrupted nothing is judged, whoever else hears", async () => {
  const site = scene("one", "two");
  await site.pass(20);
  site.put("two", { is_deaf: true });
  await site.pass(40);
  assert.equal(site.heardMs(), 0);
  site.put("two", { is_deaf: false });
  await site.pass(6);
  assert.equal(site.heardMs(), 5000);
});

test("one that stands still does not hear after five seconds, and is gone for good after thirty", async () => {
  const site = scene("one", "two");
  await site.pass(20);
  site.frozen.add("two");
  await site.pass(4);
  assert.ok(site.heardMs() > 20_000, "it may only be late");
  await site.pass(1);
  assert.equal(site.heardMs(), 0);
  assert.equal(site.live(), 1);
  await site.pass(25);
  assert.equal(site.heardMs(), 0);
  await site.pass(11);
  assert.ok(site.heardMs() >= 9000, "the others go on");
});

test("whoever cannot read for five seconds does not know, and nothing was missed where all went on meanwhile", async () => {
  const site = scene("one");
  await site.pass(20);
  await site.unread(4);
  assert.ok(site.heardMs() > 20_000);
  await site.unread(2);
  assert.equal(site.heardMs(), 0);
  await site.pass(1);
  assert.ok(site.heardMs() > 20_000);
});

test("a database that stands still for five seconds restarts the wait, though all move when it goes on", async () => {
  for (const [seconds, heardMs] of [
    [4, 25_000],
    [6, 0],
  ] as const) {
    const site = scene("one", "two");
    await site.pass(21);
    await site.stall(seconds);
    await site.pass(1);
    assert.equal(site.heardMs(), heardMs);
  }
});

test("what is known from before is kept, and what passed until the first read is lost", async () => {
  const site = scene("one");
  await site.unread(100);
  assert.equal(site.lostSince(0), 100_000, "nothing is known yet");
  site.begin([{ from: 20_000, to: 30_000 }]);
  await site.unread(10);
  await site.pass(10);
  assert.equal(site.lostSince(0), 10_000 + 1000 + 11_000);
});

test("what was lost is counted from the last time at which all could hear, and all of it before the first read where nothing is known", async () => {
  const site = scene("one", "two");
  await site.pass(1);
  const began = site.now();
  assert.equal(site.lostSince(began - 60_000), 60_000);
  await site.pass(60);
  assert.equal(site.lostSince(began), 0);
  site.put("two", { interruptions: 1 });
  await site.pass(20);
  assert.equal(site.lostSince(began), 2000, "it may have begun before the last beat that was read");
  site.frozen.add("one");
  await site.pass(10);
  site.frozen.delete("one");
  await site.pass(20);
  assert.equal(site.lostSince(began), 2000 + 12_000);
  await site.unread(30);
  assert.equal(site.lostSince(began), 2000 + 12_000 + 30_000, "while nobody can read");
  await site.pass(1);
  assert.equal(site.lostSince(began), 2000 + 12_000, "all went on meanwhile");
});
