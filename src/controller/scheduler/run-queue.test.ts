import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createRunSlots, type RunSlot } from "./run-slots.ts";
import { createRunQueue } from "./run-queue.ts";
import type { RunShare } from "./run-share.ts";

interface Item {
  readonly name: string;
  readonly share: RunShare;
}

interface Begun extends Item {
  readonly slot: RunSlot;
}

interface Limits {
  readonly maxRunning: number;
  readonly maxSlow: number;
  readonly maxRunsAtOnce: number;
  readonly maxStartsPerSecond: number;
  readonly maxStartsPerTurn: number;
}

const unlimited: Limits = {
  maxRunning: 1000,
  maxSlow: 1000,
  maxRunsAtOnce: 0,
  maxStartsPerSecond: 0,
  maxStartsPerTurn: 1000,
};

function startQueue(limits: Partial<Limits>) {
  const clock = fakeClock();
  const begun: Begun[] = [];
  const holds: string[] = [];
  const all = { ...unlimited, ...limits };
  const queue = createRunQueue<Item>({
    slots: createRunSlots(all, clock),
    maxStartsPerTurn: all.maxStartsPerTurn,
    shareOf: ({ share }) => share,
    begin: (item, _tick, slot) => void begun.push({ ...item, slot }),
    held: (reason) => void holds.push(reason),
  });
  return {
    queue,
    clock,
    begun,
    holds,
    names: (): string => begun.map(({ name }) => name).join(" "),
    /** Ends the runs that began first. */
    finish: (count = 1): void => {
      for (const { slot } of begun.splice(0, count)) queue.finished(slot);
    },
  };
}

function anItem(name: string, changes: Partial<RunShare> = {}): Item {
  const { host, accountId = "alice" } = changes;
  const share = {
    primaryId: accountId,
    accountId,
    host,
    type: "HTTP",
    maxPerMinute: undefined,
  };
  return { name, share: { ...share, ...changes } };
}

function items(count: number, name: string, changes: Partial<RunShare> = {}): readonly Item[] {
  return Array.from({ length: count }, (_, index) => anItem(`${name}${index + 1}`, changes));
}

// guard: runs of an account
test("an account alone has half of the places, and the next one half of the rest", () => {
  const { queue, begun, holds } = startQueue({ maxRunning: 8 });
  for (const item of items(9, "a")) queue.add(item, 1);
  assert.equal(begun.length, 4);
  assert.deepEqual(
    holds,
    Array.from({ length: 5 }, () => "account"),
  );
  for (const item of items(9, "b", { accountId: "bob" })) queue.add(item, 1);
  assert.equal(begun.length, 6);
  queue.add(anItem("c", { accountId: "carol" }), 1);
  assert.equal(begun.at(-1)?.name, "c");
});

test("subaccounts share the places of their primary account, and take turns for them", () => {
  const { queue, begun, names, finish } = startQueue({ maxRunning: 8 });
  for (let no = 1; no <= 50; no += 1)
    for (const item of items(2, `sub${no}-`, { primaryId: "primary", accountId: `sub${no}` }))
      queue.add(item, 1);
  assert.equal(names(), "sub1-1 sub1-2 sub2-1 sub2-2");
  for (const item of items(9, "honest", { accountId: "honest" })) queue.add(item, 1);
  assert.equal(begun.length, 6);
  finish(4);
  assert.match(names(), /sub3-1 sub4-1/);
});

test("runs that wait begin in order as others of their account end", () => {
  const { queue, names, finish } = startQueue({ maxRunning: 2 });
  for (const item of items(3, "a")) queue.add(item, 1);
  assert.equal(names(), "a1");
  finish();
  assert.equal(names(), "a2");
  finish();
  assert.equal(names(), "a3");
});

test("accounts that wait take turns, and so do the hosts of each", () => {
  const { queue, names } = startQueue({ maxStartsPerTurn: 1 });
  const first = anItem("first");
  queue.add(first, 1);
  for (const item of [...items(3, "x", { host: "x" }), ...items(2, "y", { host: "y" })])
    queue.add(item, 1);
  for (const item of items(2, "b", { accountId: "bob" })) queue.add(item, 1);
  for (let turn = 0; turn < 7; turn += 1) queue.nextTurn();
  assert.equal(names(), "first x1 b1 y1 b2 x2 y2 x3");
  assert.equal(queue.size(), 0);
});

// guard: places apart for runs that hang
test("runs that have not ended soon leave their places to runs that do, as far as there are places apart", async () => {
  const { queue, clock, begun } = startQueue({ maxRunning: 8, maxSlow: 4 });
  for (const item of items(9, "a")) queue.add(item, 1);
  await clock.advance(1999);
  queue.nextTurn();
  assert.equal(begun.length, 4);
  await clock.advance(1);
  queue.nextTurn();
  assert.equal(begun.length, 6, "two have the half of the slots apart");
  for (const { slot } of begun.slice()) queue.finished(slot);
  assert.equal(begun.length, 9);
});

// guard: runs at a host
test("a host has so many runs at once, and one account half of them", () => {
  const { queue, begun, holds, finish } = startQueue({ maxRunsAtOnce: 4 });
  for (const item of items(5, "a", { host: "victim" })) queue.add(item, 1);
  queue.add(anItem("other", { host: "elsewhere" }), 1);
  assert.deepEqual(
    begun.map(({ name }) => name),
    ["a1", "a2", "other"],
  );
  for (const item of items(2, "b", { host: "victim", accountId: "bob" })) queue.add(item, 1);
  assert.equal(begun.length, 4);
  assert.deepEqual(holds, ["host", "host", "host", "host"]);
  finish(2);
  assert.equal(begun.length, 4);
});

// guard: rate of runs at a host
test("runs begin against one host at a limited rate, but for a private one", async () => {
  const { queue, begun, clock, holds } = startQueue({ maxStartsPerSecond: 2 });
  for (const item of items(5, "v", { host: "victim.example" })) queue.add(item, 1);
  for (const item of items(5, "own", { host: "10.0.0.1" })) queue.add(item, 1);
  for (const item of items(5, "v6", { host: "::1" })) queue.add(item, 1);
  for (const item of items(5, "here", { host: "localhost" })) queue.add(item, 1);
  assert.equal(begun.length, 17);
  assert.equal(holds[0], "host_rate");
  await clock.advance(1000);
  queue.nextTurn();
  assert.equal(begun.length, 19);
});

// guard: budget of checks that ask others
test("a type that asks others has a budget for each account", async () => {
  const { queue, names, clock, holds } = startQueue({});
  const lookUps = { type: "RBL", maxPerMinute: 2 };
  for (const item of items(3, "a", lookUps)) queue.add(item, 1);
  for (const item of items(1, "b", { ...lookUps, accountId: "bob" })) queue.add(item, 1);
  assert.equal(names(), "a1 a2 b1");
  assert.deepEqual(holds, ["budget"]);
  await clock.advance(60_000);
  queue.nextTurn();
  assert.equal(names(), "a1 a2 b1 a3");
});

test("a limited number starts in one turn, and the others in the next", () => {
  const { queue, begun, holds, finish } = startQueue({ maxStartsPerTurn: 2 });
  for (const item of items(5, "a")) queue.add(item, 1);
  assert.equal(begun.length, 2);
  assert.deepEqual(holds, ["turn", "turn", "turn"]);
  finish();
  assert.equal(begun.length, 1);
  queue.nextTurn(1);
  assert.equal(begun.length, 2);
  queue.nextTurn();
  assert.equal(begun.length, 4);
});

test("a tick that still waits is replaced by the next of the same check, and returned", () => {
  const { queue, names, finish } = startQueue({ maxRunning: 2 });
  const [one, two, three] = items(3, "a");
  assert.ok(one && two && three);
  assert.equal(queue.add(one, 1), undefined);
  assert.equal(queue.add(two, 1), undefined);
  assert.equal(queue.add(three, 1), undefined);
  assert.equal(queue.add(two, 2), 1);
  finish();
  assert.equal(names(), "a2");
});

test("an item that was removed does not start", () => {
  const { queue, names, finish } = startQueue({ maxRunning: 2 });
  const [one, two, three] = items(3, "a");
  assert.ok(one && two && three);
  for (const item of [one, two, three]) queue.add(item, 1);
  queue.remove(two);
  finish();
  assert.equal(names(), "a3");
  queue.add(two, 1);
  queue.clear();
  finish();
  assert.equal(names(), "");
});

test("whatever the order of things, nothing that may begin waits, no limit is passed, and everything has its turn", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("add" as const),
      account: fc.constantFrom("alice", "bob", "carol"),
      host: fc.constantFrom("x", "y", undefined),
    }),
    fc.record({ kind: fc.constant("finish" as const), which: fc.nat(50) }),
    fc.constant({ kind: "turn" as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const limits = { maxRunning: 9, maxSlow: 0, maxRunsAtOnce: 4, maxStartsPerTurn: 5 };
      const { queue, begun } = startQueue(limits);
      let added = 0;
      let ended = 0;
      for (const each of steps) {
        if (each.kind === "add") {
          const { account: accountId, host } = each;
          queue.add(anItem(`${(added += 1)}`, { accountId, host }), 1);
        } else if (each.kind === "turn") queue.nextTurn();
        else {
          const [ending] = begun.splice(each.which % Math.max(begun.length, 1), 1);
          if (ending === undefined) continue;
          ended += 1;
          queue.finished(ending.slot);
        }
        assert.equal(queue.size() + begun.length + ended, added);
        assert.ok(begun.length <= limits.maxRunning);
        for (const host of ["x", "y"])
          assert.ok(begun.filter(({ share }) => share.host === host).length <= 4);
      }
      // Each that ends lets others begin, until all have.
      for (let turn = 0; turn < added + 1; turn += 1) {
        queue.nextTurn();
        for (const { slot } of begun.splice(0)) queue.finished(slot);
      }
      assert.equal(queue.size(), 0);
    }),
  );
});
