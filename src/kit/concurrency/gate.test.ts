import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock } from "../../../test/time/fake-clock.ts";
import { createGate } from "./gate.ts";

function openGate(most: number) {
  const clock = fakeClock();
  const limits = { most, mostWaiting: 20, maxWaitMs: 10_000, refusal: "too busy" };
  const gate = createGate(clock, limits);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const ended: string[] = [];
  return {
    clock,
    ended,
    running: () => running.map(({ name }) => name),
    enter: (accountId: string, name: string): Promise<void> =>
      gate.run(accountId, async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ name, end: resolve });
        await promise;
        ended.push(name);
      }),
    end: async (): Promise<void> => {
      await drainEventLoop();
      running.shift()?.end();
      await drainEventLoop();
    },
  };
}

test("whoever comes next waits for one turn of each account before it, not for all that wait", async () => {
  const { enter, end, ended } = openGate(1);
  const all = Promise.all([
    ...["a1", "a2", "a3", "a4"].map((name) => enter("alice", name)),
    ...["b1", "b2"].map((name) => enter("bob", name)),
    enter("carol", "c1"),
  ]);
  for (let turn = 0; turn < 7; turn += 1) await end();
  await all;
  assert.deepEqual(ended, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

// guard: places of a gate by account
test("an account has as many places as it leaves for all others", async () => {
  const { enter, running, clock } = openGate(8);
  for (const name of "123456") void enter("alice", name);
  await drainEventLoop();
  assert.equal(running().length, 4);
  void enter("bob", "b");
  await drainEventLoop();
  assert.equal(running().length, 5);
  assert.equal(clock.pending(), 2);
});

test("who waits for long, or behind many of the same account, is refused, and holds up nobody", async () => {
  const { enter, end, ended, clock } = openGate(1);
  const first = enter("alice", "first");
  const refusal = { code: "unavailable", message: "too busy" };
  const waiting = Array.from({ length: 20 }, (_, index) =>
    assert.rejects(enter("alice", `a${index}`), refusal),
  );
  await assert.rejects(enter("alice", "one more"), refusal);
  await clock.advance(9999);
  const other = enter("bob", "other");
  await clock.advance(1);
  await Promise.all(waiting);
  await end();
  await end();
  await Promise.all([first, other]);
  assert.deepEqual(ended, ["first", "other"]);
});

test("work that fails gives its place up", async () => {
  const gate = createGate(fakeClock(), {
    most: 1,
    mostWaiting: 1,
    maxWaitMs: 1000,
    refusal: "too busy",
  });
  await assert.rejects(
    gate.run("alice", () => Promise.reject(new Error("broken"))),
    { message: "broken" },
  );
  assert.equal(await gate.run("alice", async () => 1), 1);
});
