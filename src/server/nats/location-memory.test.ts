import assert from "node:assert/strict";
import { test } from "node:test";

import { tempStore } from "../../../test/stores/temp-store.ts";
import { fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import type { GoneLocation } from "../../bus/bus.ts";
import type { LiveLocation } from "../../domain/location.ts";
import { silentLog } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import { createLocationMemory } from "./location-memory.ts";

const ny = { code: "ny", region: "nam", version: "1.2.3" } as const;
const ld = { code: "ld", region: "eur" } as const;

/** A process that hears what `heard` says, and how often it has written. */
function processWith(store: Store, clock: FakeClock) {
  const heard: { live: readonly LiveLocation[]; gone: readonly GoneLocation[] } = {
    live: [],
    gone: [],
  };
  let writes = 0;
  let expected: readonly string[] = [];
  const memory = createLocationMemory({
    store: {
      locations: store.locations,
      write(unit) {
        writes += 1;
        return store.write(unit);
      },
    },
    presence: { live: () => heard.live, gone: () => heard.gone },
    expect: (locations) => (expected = locations.map(({ code }) => code)),
    clock,
    log: silentLog,
  });
  return { heard, memory, writes: () => writes, expected: () => expected };
}

async function start() {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  return { clock, store, ...processWith(store, clock) };
}

test("a location that does not come back after a restart is gone, since it was seen last", async () => {
  const { clock, store, heard, memory } = await start();
  await using _ = store;
  heard.live = [ny, ld];
  await memory.look();
  await clock.advance(90_000);
  const restarted = processWith(store, clock);
  assert.deepEqual(restarted.memory.gone(), []);
  restarted.heard.live = [ld];
  await restarted.memory.look();
  assert.deepEqual(restarted.memory.gone(), [{ code: "ny", region: "nam", seenMsAgo: 90_000 }]);
  restarted.heard.live = [ld, ny];
  assert.deepEqual(restarted.memory.gone(), []);
});

test("what is remembered is expected by a process that has heard none of it, until it is forgotten", async () => {
  const { clock, store, heard, memory } = await start();
  await using _ = store;
  heard.live = [ny, ld];
  await memory.look();
  const restarted = processWith(store, clock);
  await restarted.memory.look();
  assert.deepEqual(restarted.expected(), ["ld", "ny"]);
  await store.write(({ locations }) => locations.forget("ny"));
  await restarted.memory.look();
  assert.deepEqual(restarted.expected(), ["ld"]);
});

test("what this process itself heard last of a location counts", async () => {
  const { heard, memory, store } = await start();
  await using _ = store;
  heard.live = [ny];
  await memory.look();
  const gone = { code: "ny", region: "nam", seenMsAgo: 7000 } as const;
  Object.assign(heard, { live: [], gone: [gone] });
  await memory.look();
  assert.deepEqual(memory.gone(), [gone]);
});

test("a live location is written at first, at a change of its region, and once a minute, by one of all processes", async () => {
  const { clock, store, heard, memory, writes } = await start();
  await using _ = store;
  const other = processWith(store, clock);
  const lookFor = async (ms: number): Promise<number> => {
    const before = writes() + other.writes();
    for (const end = clock.now() + ms; clock.now() < end; await clock.advance(5000)) {
      await memory.look();
      await other.memory.look();
    }
    return writes() + other.writes() - before;
  };
  heard.live = other.heard.live = [ny];
  assert.equal(await lookFor(60_000), 1);
  assert.equal(await lookFor(600_000), 10);
  heard.live = other.heard.live = [{ ...ny, region: "eur" }];
  assert.equal(await lookFor(5000), 1);
});

test("a location that cannot be asked is neither seen nor gone", async () => {
  const { store, heard, memory } = await start();
  await using _ = store;
  heard.live = [{ ...ny, isAway: true }];
  await memory.look();
  assert.deepEqual([await store.locations.list(), memory.gone()], [[], []]);
});

test("what one process forgot is not gone for any, until it is live again", async () => {
  const { clock, store, heard, memory } = await start();
  await using _ = store;
  const other = processWith(store, clock);
  heard.live = other.heard.live = [ny];
  await memory.look();
  await other.memory.look();
  await clock.advance(5000);
  const gone = { live: [], gone: [{ code: "ny", region: "nam", seenMsAgo: 5000 } as const] };
  Object.assign(heard, gone);
  Object.assign(other.heard, gone);
  await store.write(({ locations }) => locations.forget("ny"));
  memory.forgot("ny");
  assert.deepEqual(memory.gone(), []);
  assert.equal(other.memory.gone().length, 1);
  await other.memory.look();
  assert.deepEqual(other.memory.gone(), []);
  await memory.look();
  assert.deepEqual(memory.gone(), []);

  // Another process hears it again.
  await clock.advance(5000);
  other.heard.live = [ny];
  await other.memory.look();
  assert.deepEqual((await store.locations.list())[0]?.firstSeenAt, clock.now());
  Object.assign(other.heard, gone);
  assert.equal(other.memory.gone().length, 1);
  heard.gone = [];
  await memory.look();
  assert.equal(memory.gone().length, 1);
});

test("a row that was read before its location was forgotten brings nothing back", async () => {
  const { store, heard, memory } = await start();
  await using _ = store;
  heard.live = [ny];
  await memory.look();
  heard.live = [];
  const looking = memory.look();
  memory.forgot("ny");
  await looking;
  assert.deepEqual(memory.gone(), []);
});

test("without a store nothing is remembered, and what this process hears still counts", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const logged: string[] = [];
  const gone = { code: "ny", region: "nam", seenMsAgo: 7000 } as const;
  const memory = createLocationMemory({
    store: {
      locations: { list: () => Promise.reject(new Error("no database")) },
      write: () => assert.fail(),
    },
    presence: { live: () => [], gone: () => [gone] },
    expect: () => assert.fail(),
    clock,
    log: { ...silentLog, warn: (event) => void logged.push(event) },
  });
  const running = memory.run(stop.signal);
  await clock.advance(5000);
  stop.abort();
  await clock.advance(5000);
  await running;
  assert.deepEqual(logged, ["bus.locations_not_stored", "bus.locations_not_stored"]);
  assert.deepEqual(memory.gone(), [gone]);
});
