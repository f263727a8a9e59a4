import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { leasesOver, type Leases, type Owner } from "../../../../test/stores/leases.ts";
import { testServer } from "../../../../test/stores/postgres-store.ts";
import { SHARDS } from "../../../domain/shard.ts";

const server = testServer();

const counts = (...owners: readonly Owner[]) => owners.map(({ lease }) => lease.owned().length);

/** Returns the seconds until the condition is true, at most `most`. */
async function secondsUntil(site: Leases, isSo: () => boolean, most = 12): Promise<number> {
  for (let seconds = 0; seconds <= most; seconds += 1) {
    if (isSo()) return seconds;
    await site.passSeconds(1);
  }
  return Infinity;
}

test("one owner has all shards at once, two and three have equal shares, and a clean stop leaves them to the others at once", async () => {
  await using site = await leasesOver(server());
  const one = await site.add();
  assert.ok((await secondsUntil(site, () => counts(one)[0] === SHARDS)) <= 2);
  const two = await site.add();
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === "128,128")) <= 4);
  const three = await site.add();
  const total = () => counts(one, two, three).reduce((sum, count) => sum + count);
  const isShared = () => total() === SHARDS && Math.min(...counts(one, two, three)) === 85;
  assert.ok((await secondsUntil(site, isShared)) <= 4);
  await two.lease.close();
  assert.ok((await secondsUntil(site, () => counts(one, three).join() === "128,128")) <= 3);
});

test("an owner that stands still loses its shards within ten seconds, by others' clocks, and can commit nothing after", async () => {
  await using site = await leasesOver(server());
  const [one, two] = [await site.add(), await site.add()];
  await secondsUntil(site, () => counts(one, two).join() === "128,128");
  const begun = Promise.withResolvers<void>();
  const stopped = one.lease.hold(async (id) => {
    begun.resolve();
    await secondsUntil(site, () => counts(two)[0] === SHARDS);
    return one.commit(id);
  });
  await begun.promise;
  one.freeze();
  await assert.rejects(stopped, { code: "unavailable", message: /another process controls/ });
  one.thaw();
  assert.deepEqual(counts(two), [SHARDS]);
  assert.deepEqual(counts(one), [0], "all that it knew is dropped");
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === "128,128")) <= 5);
});

test("an owner that cannot renew stops before others may take over, and goes on with its row where nobody did", async () => {
  await using site = await leasesOver(server());
  const one = await site.add();
  await secondsUntil(site, () => counts(one)[0] === SHARDS);
  const { id } = (await site.controllers())[0] ?? {};
  one.cut(true);
  assert.equal(await secondsUntil(site, () => counts(one)[0] === 0), 4, "3.3 s after its last");
  await assert.rejects(
    one.lease.hold(() => Promise.resolve()),
    { code: "unavailable" },
  );
  one.cut(false);
  assert.ok((await secondsUntil(site, () => counts(one)[0] === SHARDS)) <= 2);
  assert.deepEqual(
    (await site.controllers()).map((row) => row.id),
    [id],
  );
});

test("an owner that is far from the database has a longer lease: it goes on for that long without a renewal, and is taken over from after it", async () => {
  await using site = await leasesOver(server());
  const [one, two] = [await site.add(), await site.add()];
  one.far(300);
  await secondsUntil(site, () => counts(one, two).join() === "128,128");
  await site.passSeconds(2);
  one.cut(true);
  assert.equal(await secondsUntil(site, () => counts(one)[0] === 0), 7, "6.3 s after its last");
  assert.deepEqual(counts(two), [128], "nobody takes over sooner");
  assert.ok((await secondsUntil(site, () => counts(two)[0] === SHARDS)) <= 4);
});

test("an owner whose lease becomes shorter stops by the shorter one, also where it does not learn that this was stored", async () => {
  await using site = await leasesOver(server());
  const one = await site.add();
  one.far(1000);
  await secondsUntil(site, () => counts(one)[0] === SHARDS);
  await site.passSeconds(2);
  one.far(0);
  one.cut(true);
  assert.equal(await secondsUntil(site, () => counts(one)[0] === 0), 5, "3.3 s after it tried");
});

test("a lease holds for fifteen seconds at most, however far away the database is", async () => {
  await using site = await leasesOver(server());
  const one = await site.add();
  one.far(60_000);
  await secondsUntil(site, () => counts(one)[0] === SHARDS);
  await site.passSeconds(2);
  one.cut(true);
  assert.equal(await secondsUntil(site, () => counts(one)[0] === 0, 60), 15);
});

test("while nobody reaches the database nothing expires, however long", async () => {
  await using site = await leasesOver(server());
  const [one, two] = [await site.add(), await site.add()];
  await secondsUntil(site, () => counts(one, two).join() === "128,128");
  const before = await site.controllers();
  for (const owner of [one, two]) owner.cut(true);
  await site.passSeconds(60);
  for (const owner of [one, two]) owner.cut(false);
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === "128,128")) <= 2);
  assert.deepEqual(
    (await site.controllers()).map(({ id }) => id),
    before.map(({ id }) => id),
  );
});

test("an owner gives its shards away while another reaches the locations and it does not, and keeps them otherwise", async () => {
  await using site = await leasesOver(server());
  const [one, two] = [await site.add(), await site.add()];
  await secondsUntil(site, () => counts(one, two).join() === "128,128");
  one.bus(false);
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === `0,${SHARDS}`)) <= 5);
  two.bus(false);
  await site.passSeconds(3);
  assert.equal(
    counts(one, two).reduce((sum, count) => sum + count),
    SHARDS,
  );
  for (const owner of [one, two]) owner.bus(true);
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === "128,128")) <= 5);
});

test("a shard is given away only once the units under way have ended", async () => {
  await using site = await leasesOver(server());
  const one = await site.add();
  await secondsUntil(site, () => counts(one)[0] === SHARDS);
  const ending = Promise.withResolvers<void>();
  const unit = one.lease.hold(() => ending.promise);
  const two = await site.add();
  await site.passSeconds(4);
  assert.deepEqual(counts(one, two), [128, 0]);
  ending.resolve();
  await unit;
  assert.ok((await secondsUntil(site, () => counts(one, two).join() === "128,128")) <= 3);
});

test("whatever happens to three owners, no shard has two that can commit at the same time", async () => {
  const step = fc.record({
    owner: fc.nat(2),
    what: fc.constantFrom("pass", "freeze", "thaw", "cut", "heal", "leave", "bus", "no bus"),
    seconds: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      await using site = await leasesOver(server());
      const owners = [await site.add(), await site.add(), await site.add()];
      for (const { owner: index, what, seconds } of steps) {
        const owner = owners[index] ?? owners[0];
        if (what === "freeze") owner?.freeze();
        if (what === "thaw") owner?.thaw();
        if (what === "cut" || what === "heal") owner?.cut(what === "cut");
        if (what === "bus" || what === "no bus") owner?.bus(what === "bus");
        if (what === "leave") {
          owner?.thaw();
          await owner?.lease.close();
          owners[index] = await site.add();
        }
        for (let second = 0; second < seconds; second += 1) {
          await site.passSeconds(1);
          assert.deepEqual(await ownedTwice(owners), []);
        }
      }
      for (const owner of owners) {
        owner.thaw();
        owner.cut(false);
        owner.bus(true);
      }
      const all = () => counts(...owners);
      const isShared = () => Math.min(...all()) === 85 && Math.max(...all()) === 86;
      assert.ok((await secondsUntil(site, isShared, 30)) < Infinity);
    }),
    { numRuns: 6 },
  );
});

/** Shards with more than one owner that has just committed. */
async function ownedTwice(owners: readonly Owner[]): Promise<readonly number[]> {
  const able = await Promise.all(
    owners.map(async ({ lease, commit }) => {
      const shards = lease.owned();
      const hasCommitted = await lease.hold(commit).then(
        () => true,
        () => false,
      );
      return hasCommitted ? shards.filter(lease.owns) : [];
    }),
  );
  const all = able.flat();
  return all.filter((shard, index) => all.indexOf(shard) !== index);
}
