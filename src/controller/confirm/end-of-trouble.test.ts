import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  schedulerHarness,
  up,
  type LocationReply,
} from "../../../test/harnesses/scheduler-harness.ts";
import { alice, minute } from "../../../test/record-builders.ts";
import type { Job, Report } from "../../bus/bus.ts";
import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { sleep, type Clock } from "../../kit/clock.ts";

const TIMEOUT_MS = 5000;
const SIDES = { public: "198.51.100", private: "10.0.0" } as const;
type Side = keyof typeof SIDES;
const ids = ["A", "B", "C", "D"] as const;

interface World {
  /** No packet arrives: a run that begins then times out, although the network may return before. */
  isCut: boolean;
  readonly down: Set<string>;
  clock: Clock | undefined;
}

function reportOf(outcome: Outcome, ms: number, resolverSilent: boolean): Report {
  return {
    startOffsetMs: 0,
    endOffsetMs: ms,
    outcome,
    connectivityConfirmed: false,
    ...(resolverSilent && { resolverSilent }),
  };
}

/** One location with four targets on one side, each run every 15 seconds. */
async function scene(side: Side) {
  const world: World = { isCut: false, down: new Set(), clock: undefined };
  const timeOut = async (clock: Clock, address: string): Promise<Report> => {
    await sleep(clock, TIMEOUT_MS);
    const outcome = { ...failed("timeout", "Timeout", "Timeout connecting"), address };
    return reportOf(outcome, TIMEOUT_MS, side === "private" && world.isCut);
  };
  const reply: LocationReply = ({ checkId }: Job) => {
    const address = `${SIDES[side]}.${checkId.charCodeAt(0)}`;
    const { clock, isCut, down } = world;
    if (clock !== undefined && (isCut || down.has(checkId))) return timeOut(clock, address);
    return { ...up, address };
  };
  const isPublic = (): boolean => side === "public";
  const site = await schedulerHarness({ aa: reply }, { isPublic });
  world.clock = site.clock;
  site.start();
  const numbers = new Map<string, number>();
  for (const id of ids)
    numbers.set(
      id,
      await site.add(id, {
        rechecks: 2,
        recheckWait: 5,
        timeoutSeconds: TIMEOUT_MS / 1000,
        intervalMinutes: 0.25,
        parameters: { target: `${SIDES[side]}.${id.charCodeAt(0)}`, port: 80 },
      }),
    );
  const stateOf = async (id: string) => (await site.store.states.get(numbers.get(id) ?? 0)).state;
  await site.until("all are up", async () =>
    (await Promise.all(ids.map(stateOf))).every((state) => state === "passing"),
  );
  await site.clock.advance(minute / 2);
  const cutFor = async (seconds: number): Promise<void> => {
    world.isCut = true;
    await site.clock.advance(seconds * 1000);
    world.isCut = false;
  };
  return { site, world, stateOf, cutFor };
}

for (const side of ["public", "private"] as const)
  suite(`a location with ${side} targets that loses its network`, () => {
    test("flips nothing, whenever it returns", async () => {
      await using stack = new AsyncDisposableStack();
      const { site, cutFor } = await scene(side);
      stack.use(site);
      const flips = site.flips();
      for (const seconds of [3, 8, 11, 14, 17, 21, 26, 33, 38, 41, 43, 45, 47, 60, 92]) {
        await cutFor(seconds);
        await site.clock.advance(minute);
        assert.equal(site.flips(), flips, `after ${seconds} s without a network`);
      }
    });

    test("alarms of a target that failed meanwhile by runs that begin afterwards", async () => {
      await using stack = new AsyncDisposableStack();
      const { site, world, stateOf, cutFor } = await scene(side);
      stack.use(site);
      const flips = site.flips();
      world.down.add("A");
      await cutFor(60);
      assert.equal(site.flips(), flips);
      const returnedAt = site.clock.now();
      await site.until("it is down", async () => (await stateOf("A")) === "failing");
      const seconds = (site.clock.now() - returnedAt) / 1000;
      assert.ok(seconds < 60, `after ${seconds} s`);
      const [event] = await site.store.states.listCurrentEvents(alice.id);
      assert.ok(event !== undefined && event.since >= returnedAt, JSON.stringify(event));
      assert.equal(site.flips(), flips + 1);
    });

    test("keeps a target down that was down before", async () => {
      await using stack = new AsyncDisposableStack();
      const { site, world, stateOf, cutFor } = await scene(side);
      stack.use(site);
      world.down.add("A");
      await site.until("it is down", async () => (await stateOf("A")) === "failing");
      const flips = site.flips();
      await cutFor(60);
      await site.clock.advance(minute);
      assert.deepEqual([site.flips(), await stateOf("A")], [flips, "failing"]);
    });
  });

test("a port that has to be closed does not recover because the location has no network", async () => {
  let isCut = false;
  const reply: LocationReply = ({ checkId }) => {
    const address = `198.51.100.${checkId.charCodeAt(0)}`;
    if (checkId !== "A")
      return { ...(isCut ? failed("timeout", "Timeout", "Timeout connecting") : up), address };
    return isCut
      ? { ...passed("Timeout", "Port 23 is closed: Timeout"), address, unreached: true }
      : { ...failed("mismatch", "Connected", "Port 23 is open"), address };
  };
  await using site = await schedulerHarness({ aa: reply }, { isPublic: () => true });
  site.start();
  for (const id of ["B", "C"]) await site.add(id, { rechecks: 0 });
  const no = await site.add("A", { rechecks: 0 });
  const stateOf = async () => (await site.store.states.get(no)).state;
  await site.until("it is open", async () => (await stateOf()) === "failing");
  await site.clock.advance(2 * minute);
  const flips = site.flips();
  isCut = true;
  await site.clock.advance(5 * minute);
  assert.deepEqual([site.flips(), await stateOf()], [flips, "failing"]);
});
