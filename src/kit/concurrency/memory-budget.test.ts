import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock } from "../../../test/time/fake-clock.ts";
import { messageOf } from "../errors.ts";
import { createMemoryBudget } from "./memory-budget.ts";

function openMemory(limitBytes: number) {
  const clock = fakeClock();
  const memory = createMemoryBudget(clock, {
    limitBytes,
    maxWaiting: 40,
    maxWaitMs: 2000,
    refusal: "too much",
  });
  const granted: string[] = [];
  return {
    clock,
    granted,
    isCrowded: memory.isCrowded,
    /** A share, and what notes when it is as large. */
    open: (accountId: string) => {
      const share = memory.open(accountId);
      const grow = async (bytes: number, name: string): Promise<void> => {
        await share.grow(bytes);
        granted.push(name);
      };
      return { ...share, grow };
    },
  };
}

test("an account has at most as much as it leaves for all others, and half of that to begin with", async () => {
  const { open, granted } = openMemory(800);
  for (const name of ["a1", "a2", "a3", "a4"]) void open("alice").grow(100, name);
  void open("bob").grow(100, "b1");
  await drainEventLoop();
  assert.deepEqual(granted, ["a1", "a2", "b1"]);
});

test("those that wait take turns by account, and who has some goes before who has none", async () => {
  const { open, granted } = openMemory(800);
  const first = open("alice");
  await first.grow(100, "first");
  const second = open("alice");
  await second.grow(100, "second");
  for (const name of ["a1", "a2"]) void open("alice").grow(150, name);
  void open("bob").grow(150, "b1");
  void second.grow(400, "more");
  await drainEventLoop();
  assert.deepEqual(granted, ["first", "second"]);
  first.release();
  await drainEventLoop();
  assert.deepEqual(granted, ["first", "second", "more", "b1"]);
});

// guard: memory of responses
test("who has some and waits for more is refused in time, and its wait is known", async () => {
  const { open, clock } = openMemory(400);
  const share = open("alice");
  await share.grow(100, "first");
  const refused = assert.rejects(share.grow(300, "more"), {
    code: "unavailable",
    message: "too much",
  });
  await clock.advance(1999);
  assert.equal(share.waitedMs(), 1999);
  await clock.advance(1);
  await refused;
  assert.equal(share.waitedMs(), 2000);
});

// guard: runs that wait for memory
test("an account of which many wait should begin no more, and one more of it is refused at last", async () => {
  const { open, isCrowded } = openMemory(400);
  await open("mallory").grow(100, "one");
  for (let number = 0; number < 4; number += 1) void open("mallory").grow(100, "");
  assert.ok(!isCrowded("mallory"));
  void open("mallory").grow(100, "");
  assert.ok(isCrowded("mallory"));
  assert.ok(!isCrowded("alice"));
  const waiting = Array.from({ length: 15 }, () => open("mallory"));
  for (const one of waiting) void one.grow(100, "");
  assert.ok(!isCrowded("alice"));
  const refusals: unknown[] = [];
  const waitOrNote = (): void =>
    void open("mallory")
      .grow(100, "")
      .catch((error: unknown) => refusals.push(messageOf(error)));
  waitOrNote();
  await drainEventLoop();
  assert.deepEqual(refusals, ["too much"]);
  waiting[0]?.release();
  waitOrNote();
  waitOrNote();
  await drainEventLoop();
  assert.deepEqual(refusals, ["too much", "too much"]);
});

test("who is released waits no longer, and needs no more", async () => {
  const { open, granted, clock } = openMemory(400);
  const [one, other] = [open("alice"), open("alice")];
  await one.grow(100, "one");
  void other.grow(100, "other");
  await clock.advance(500);
  other.release();
  one.release();
  await one.grow(300, "after");
  await open("alice").grow(100, "next");
  assert.deepEqual(granted, ["one", "after", "next"]);
  assert.deepEqual([other.waitedMs(), clock.pending()], [500, 0]);
});
