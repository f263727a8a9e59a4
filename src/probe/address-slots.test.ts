import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_ADDRESS_WAIT_MS } from "../bus/bus.ts";
import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { createAddressSlots, partOf, type RunAddresses } from "./address-slots.ts";
import type { HostLimits } from "../kit/concurrency/host-limiter.ts";

const victim = "198.51.100.7";

function openPlaces(limits: Partial<HostLimits>) {
  const clock = fakeClock();
  const slots = createAddressSlots({ maxRunsAtOnce: 0, maxStartsPerSecond: 0, ...limits }, clock);
  const begun: { readonly name: string; readonly run: RunAddresses }[] = [];
  const refused: string[] = [];
  return {
    clock,
    refused,
    names: () => begun.map(({ name }) => name).join(" "),
    dial: (accountId: string, name: string, address = victim): RunAddresses => {
      const run = slots.forRun(accountId);
      Promise.resolve(run.admit(address)).then(
        () => begun.push({ name, run }),
        () => refused.push(name),
      );
      return run;
    },
    end: async (name: string): Promise<void> => {
      await drainEventLoop();
      begun.find((each) => each.name === name)?.run.free();
      await drainEventLoop();
    },
  };
}

test("runs that dial one address have its places, whatever their names, and accounts take turns", async () => {
  const { dial, end, names } = openPlaces({ maxRunsAtOnce: 4 });
  for (const name of ["a1", "a2", "a3", "a4"]) dial("alice", name);
  for (const name of ["b1", "b2"]) dial("bob", name);
  dial("alice", "elsewhere", "198.51.100.8");
  await drainEventLoop();
  assert.equal(names(), "a1 a2 elsewhere b1");
  await end("a1");
  assert.equal(names(), "a1 a2 elsewhere b1 a3");
  await end("b1");
  assert.equal(names(), "a1 a2 elsewhere b1 a3 b2");
  await end("b2");
  await end("a2");
  assert.equal(names(), "a1 a2 elsewhere b1 a3 b2 a4");
});

test("an address is one party in all its spellings, and so is a public network of IPv6", async () => {
  const { dial, names } = openPlaces({ maxRunsAtOnce: 2 });
  for (const [name, address] of [
    ["v4", victim],
    ["mapped", `::ffff:${victim}`],
    ["nat64", `64:ff9b::${victim}`],
    ["v6", "2a00:1450:4001:82a::200e"],
    ["beside", "2a00:1450:4001:82a:ffff::1"],
    ["other", "2a00:1450:4001:82b::200e"],
    ["here", "fd00::1"],
    ["there", "fd00::2"],
  ] as const)
    dial("alice", name, address);
  await drainEventLoop();
  assert.equal(names(), "v4 v6 other here there");
});

test("so many runs begin to dial a public address in a second; a private one has no such limit", async () => {
  const { dial, clock, names } = openPlaces({ maxStartsPerSecond: 2 });
  for (const name of ["1", "2", "3", "4", "5"]) dial("alice", name, "1.2.3.4");
  for (const name of ["x", "y", "z"]) dial("alice", name, "10.0.0.1");
  await clock.advance(900);
  assert.equal(names(), "1 2 x y z");
  await clock.advance(100);
  assert.equal(names(), "1 2 x y z 3 4");
  await clock.advance(1000);
  assert.equal(names(), "1 2 x y z 3 4 5");
});

test("a run has one place at an address that it dials more than once, and gives it up when it ends", async () => {
  const { dial, end, clock, names } = openPlaces({ maxRunsAtOnce: 2 });
  const first = dial("alice", "first");
  await drainEventLoop();
  await first.admit(victim);
  dial("alice", "second");
  await clock.advance(3000);
  assert.equal(first.waitedMs(), 0);
  await end("first");
  assert.equal(names(), "first second");
  await assert.rejects(async () => first.admit(victim), { code: "unavailable" });
});

test("a run that finds no place in time gives up and says so; one that ends meanwhile holds up nobody", async () => {
  const { dial, end, clock, names, refused } = openPlaces({ maxRunsAtOnce: 2 });
  dial("alice", "first");
  const late = dial("alice", "late");
  const ended = dial("alice", "ended");
  await clock.advance(MAX_ADDRESS_WAIT_MS - 1);
  ended.free();
  dial("alice", "last");
  await clock.advance(1);
  assert.deepEqual(refused, ["ended", "late"]);
  assert.equal(late.waitedMs(), MAX_ADDRESS_WAIT_MS);
  assert.match(late.refusal() ?? "", /198\.51\.100\.7/);
  await end("first");
  assert.equal(names(), "first last");
  await clock.advance(1000);
  assert.equal(clock.pending(), 0);
});

test("threads, which know nothing of each other, have equal parts, and each has some", () => {
  assert.deepEqual(partOf({ maxRunsAtOnce: 512, maxStartsPerSecond: 100 }, 4), {
    maxRunsAtOnce: 128,
    maxStartsPerSecond: 25,
  });
  assert.deepEqual(partOf({ maxRunsAtOnce: 1, maxStartsPerSecond: 0 }, 4), {
    maxRunsAtOnce: 1,
    maxStartsPerSecond: 0,
  });
});
