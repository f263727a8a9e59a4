import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop, type FakeClock } from "../../test/time/fake-clock.ts";
import { aCheck, alice, carol, minute } from "../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../test/stores/temp-store.ts";
import type { Invalidation } from "../domain/change.ts";
import type { Check } from "../domain/check.ts";
import { shardOf } from "../domain/shard.ts";
import type { Shards, ShardWatcher } from "../store/shards.ts";
import { watchActiveChecks } from "./watch-active-checks.ts";

interface Harness extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly store: TempStore;
  readonly add: (id: string, changes?: Partial<Check>) => Promise<Check>;
  /** Begins to watch; `calls` holds `resume CHECK`, `restart CHECK` and `stop number` in order. */
  readonly watch: (changes?: Partial<Parameters<typeof watchActiveChecks>[0]>) => Promise<void>;
  readonly calls: string[];
  readonly errors: string[];
  /** Where in the calls checks began to be read, and where all of them were resumed. */
  readonly readings: string[];
  readonly publish: (accountId: string, checkNo?: number) => void;
  /** As where changes may have been missed. */
  readonly publishAll: () => void;
  readonly until: (...calls: readonly string[]) => Promise<void>;
  /** Makes a number of calls for one check fail. */
  readonly break: (id: string, times: number) => void;
}

async function startHarness(): Promise<Harness> {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const stopping = new AbortController();
  const calls: string[] = [];
  const errors: string[] = [];
  const readings: string[] = [];
  const breaks = new Map<string, number>();
  let receive: (change: Invalidation) => void = () => {};
  await store.write(async ({ accounts }) => {
    await accounts.insert(alice);
    await accounts.insert(carol);
  });
  const call = (how: string, id: string): void => {
    const left = breaks.get(id) ?? 0;
    breaks.set(id, left - 1);
    if (left > 0) throw new Error(`${id} broke`);
    calls.push(`${how} ${id}`);
  };
  return {
    clock,
    store,
    calls,
    errors,
    readings,
    add: (id, changes) => store.write(({ checks }) => checks.insert(aCheck(id, changes))),
    watch: (changes) =>
      watchActiveChecks(
        {
          checks: store.checks,
          changes: { subscribe: (receiver) => void (receive = receiver) },
          clock,
          failed: (error) => void errors.push(String(error)),
          ...changes,
        },
        {
          accepts: ({ check }) => check.type !== "PUSH",
          resume: ({ check }) => call("resume", check.id),
          restart: ({ check }) => call("restart", check.id),
          stop: (no) => void calls.push(`stop ${no}`),
          reading: (isReading) => void readings.push(`${isReading} ${calls.join()}`),
        },
        stopping.signal,
      ),
    publish: (accountId, checkNo) => receive({ accountId, checkNo }),
    publishAll: () => receive("everything"),
    async until(...wanted) {
      await waitFor(wanted.join(), () => calls.length >= wanted.length);
      assert.deepEqual(calls.splice(0), wanted);
    },
    break: (id, times) => void breaks.set(id, times),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await store[Symbol.asyncDispose]();
    },
  };
}

test("every active check is resumed, and a change stops and restarts it", async () => {
  await using site = await startHarness();
  const one = await site.add("ONE");
  await site.add("OFF", { enabled: false });
  await site.add("PUSHED", { type: "PUSH" });
  await site.watch();
  await site.until("resume ONE");
  await site.store.write(({ checks }) =>
    checks.update({ ...one, revision: 2, runRevision: 2 }, site.clock.now()),
  );
  site.publish(alice.id, one.no);
  await site.until(`stop ${one.no}`, "restart ONE");
  const two = await site.add("TWO");
  site.publish(alice.id, two.no);
  await site.until("restart TWO");
  await site.store.write(({ checks }) => checks.remove(alice.id, "TWO", site.clock.now()));
  site.publish(alice.id, two.no);
  await site.until(`stop ${two.no}`);
});

test("where changes may have been missed all is read again, and only what differs is stopped or restarted", async () => {
  await using site = await startHarness();
  const [, changed, off, gone] = [
    await site.add("SAME"),
    await site.add("CHANGED"),
    await site.add("OFF"),
    await site.add("GONE", { accountId: carol.id }),
  ];
  await site.watch();
  await site.until("resume SAME", "resume CHANGED", "resume OFF", "resume GONE");
  await site.store.write(async ({ checks }) => {
    await checks.update({ ...changed, revision: 2, runRevision: 2 }, site.clock.now());
    await checks.update({ ...off, enabled: false }, site.clock.now());
    await checks.remove(carol.id, "GONE", site.clock.now());
    await checks.insert(aCheck("NEW"));
  });
  site.publishAll();
  await site.until(
    `stop ${changed.no}`,
    "restart CHANGED",
    "restart NEW",
    `stop ${off.no}`,
    `stop ${gone.no}`,
  );
});

test("a change that is received twice restarts once", async () => {
  await using site = await startHarness();
  await site.watch();
  const one = await site.add("ONE");
  site.publish(alice.id, one.no);
  site.publish(alice.id, one.no);
  const two = await site.add("TWO");
  site.publish(alice.id, two.no);
  await site.until("restart ONE", "restart TWO");
});

test("a change of an account stops what is off, restarts what differs and leaves the rest and other accounts alone", async () => {
  await using site = await startHarness();
  const [own, inherited, off] = [
    await site.add("OWN", { regions: ["eur"] }),
    await site.add("INHERITED"),
    await site.add("OFF"),
  ];
  await site.add("CAROLS", { accountId: carol.id });
  await site.watch();
  await site.until("resume OWN", "resume INHERITED", "resume OFF", "resume CAROLS");
  await site.store.write(async ({ accounts, checks }) => {
    await accounts.update({ ...alice, defaultRegions: ["nam"] }, site.clock.now());
    await checks.update({ ...off, enabled: false }, site.clock.now());
  });
  site.publish(alice.id);
  await site.until(`stop ${inherited.no}`, "restart INHERITED", `stop ${off.no}`);
  assert.notEqual(own.no, inherited.no);
});

test("checks that were off and on again before they were read are restarted", async () => {
  await using site = await startHarness();
  const { no } = await site.add("ONE");
  await site.watch();
  await site.until("resume ONE");
  await site.store.write(async ({ checks }) => {
    await checks.disableAll(alice.id, true, site.clock.now());
    await checks.disableAll(alice.id, false, site.clock.now());
  });
  site.publish(alice.id);
  await site.until(`stop ${no}`, "restart ONE");
});

test("a change that cannot be read is read again, and holds up none behind it", async () => {
  await using site = await startHarness();
  let broken = true;
  const { checks } = site.store;
  const [one, two] = [await site.add("ONE"), await site.add("TWO")];
  await site.watch({
    checks: {
      ...checks,
      findActive: (no) =>
        broken && no === one.no ? Promise.reject(new Error("I/O")) : checks.findActive(no),
    },
  });
  await site.until("resume ONE", "resume TWO");
  for (const check of [one, two]) {
    await site.store.write((tx) =>
      tx.checks.update({ ...check, revision: 2, runRevision: 2 }, site.clock.now()),
    );
    site.publish(alice.id, check.no);
  }
  await site.until(`stop ${two.no}`, "restart TWO");
  assert.deepEqual(site.errors, ["Error: I/O"]);
  broken = false;
  await site.clock.advance(minute);
  await site.until(`stop ${one.no}`, "restart ONE");
});

test("checks that cannot be listed are listed again, none resumed twice", async () => {
  await using site = await startHarness();
  let reads = 0;
  const { checks } = site.store;
  for (const id of ["ONE", "TWO"]) await site.add(id);
  let ready = false;
  const watching = site.watch({
    checks: {
      ...checks,
      async *listActive(accountId) {
        reads += 1;
        for await (const page of checks.listActive(accountId)) {
          yield page.slice(0, 1);
          if (reads === 1) throw new Error("I/O");
          yield page.slice(1);
        }
      },
    },
  });
  void watching.then(() => (ready = true));
  await site.until("resume ONE");
  await site.clock.advance(1000);
  assert.equal(ready, false);
  await site.clock.advance(minute);
  await site.until("resume TWO");
  await watching;
});

test("a check that the watcher rejects is tried later, and the others at once", async () => {
  await using site = await startHarness();
  site.break("ONE", 2);
  for (const id of ["ONE", "TWO"]) await site.add(id);
  await site.watch();
  await site.until("resume TWO");
  await site.clock.advance(minute);
  await site.until("restart ONE");
  assert.deepEqual(site.errors, ["Error: ONE broke", "Error: ONE broke"]);
});

test("nothing is called once the signal has aborted", async () => {
  const site = await startHarness();
  const one = await site.add("ONE");
  const { store, calls, clock } = site;
  const { promise: read, resolve: letRead } = Promise.withResolvers<void>();
  await site.watch({
    checks: {
      ...store.checks,
      async findActive(no) {
        const found = await store.checks.findActive(no);
        await read;
        return found;
      },
    },
  });
  await site.until("resume ONE");
  await store.write(({ checks }) =>
    checks.update({ ...one, revision: 2, runRevision: 2 }, clock.now()),
  );
  site.publish(alice.id, one.no);
  await drainEventLoop();
  await site[Symbol.asyncDispose]();
  letRead();
  site.publish(alice.id, one.no);
  await clock.advance(minute);
  assert.ok(!calls.includes("restart ONE"));
  assert.equal(clock.pending(), 0);
});

/** Shards that the test gives and takes. */
function ownShards(ids: readonly string[]) {
  const owned = new Set(ids.map(shardOf));
  const watchers: ShardWatcher[] = [];
  const shards: Shards = {
    owns: (shard) => owned.has(shard),
    owned: () => [...owned],
    subscribe: (watcher) => void watchers.push(watcher),
  };
  return {
    shards,
    gain(id: string) {
      owned.add(shardOf(id));
      for (const { gained } of watchers) gained([shardOf(id)]);
    },
    lose(id: string) {
      owned.delete(shardOf(id));
      for (const { lost } of watchers) lost([shardOf(id)]);
    },
  };
}

test("only checks of owned shards are watched: those of a gained one are resumed, those of a lost one stopped in the same turn", async () => {
  await using site = await startHarness();
  const own = ownShards(["ONE"]);
  const one = await site.add("ONE");
  const two = await site.add("TWO");
  assert.notEqual(shardOf("ONE"), shardOf("TWO"));
  await site.watch({ shards: own.shards });
  await site.until("resume ONE");
  site.publish(alice.id, two.no);
  site.publish(alice.id);
  await drainEventLoop(20);
  own.gain("TWO");
  await site.until("resume TWO");
  own.lose("ONE");
  assert.deepEqual(site.calls.splice(0), [`stop ${one.no}`]);
  await site.store.write(({ checks }) =>
    checks.update({ ...one, revision: 2, runRevision: 2 }, site.clock.now()),
  );
  site.publish(alice.id, one.no);
  await drainEventLoop(20);
  own.gain("ONE");
  own.lose("ONE");
  own.gain("ONE");
  await site.until("resume ONE");
});

test("whoever owns no shard yet reads nothing, and says so each time that it gained some", async () => {
  await using site = await startHarness();
  const own = ownShards([]);
  await site.add("ONE");
  await site.watch({ shards: own.shards });
  assert.deepEqual(site.readings, []);
  own.gain("ONE");
  await waitFor("all are resumed", () => site.readings.length === 2);
  assert.deepEqual(site.readings, ["true ", "false resume ONE"]);
});
