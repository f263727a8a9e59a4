import assert from "node:assert/strict";
import { test } from "node:test";

import { aHeartbeat, aPushCheck, token } from "../../test/harnesses/push-harness.ts";
import { quietBus } from "../../test/harnesses/quiet-bus.ts";
import { alice, minute, noon } from "../../test/record-builders.ts";
import { advanceWithDisk, countWrites } from "../../test/stores/count-writes.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import type { Check } from "../domain/check.ts";
import { createReceiveGaps } from "../kit/http/receive-gaps.ts";
import { createIds } from "../kit/ids.ts";
import { createInterruptions } from "../kit/interruptions.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { lostBefore, ownReception } from "../store/heartbeat-reception.ts";
import type { StoredResult } from "../store/results.ts";
import { createHeartbeats, type Heartbeats, type HeartbeatStatus } from "./heartbeats.ts";
import { createStalenessWatcher } from "../controller/staleness.ts";

/** Two processes that share a PUSH check. */
async function twoProcesses(changes: Partial<Check>) {
  const clock = fakeClock();
  const temp = await tempStore({ clock });
  const writes = countWrites(temp);
  const { store } = writes;
  const { id, no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aPushCheck(changes));
  });
  const seen: number[] = [];
  const open = (): Heartbeats =>
    createHeartbeats({
      store,
      sharesChecks: true,
      saw: (checkNo) => void seen.push(checkNo),
      flipped() {},
      ids: createIds(),
      clock,
      log: silentLog,
      meter: noMeter,
    });
  const sender = { peer: "192.0.2.1", maySend: () => true };
  return {
    clock: { ...clock, advance: advanceWithDisk(clock, writes.pending) },
    store,
    id,
    no,
    seen,
    one: open(),
    other: open(),
    send: (to: Heartbeats, a?: number): Promise<HeartbeatStatus> =>
      to.accept(aHeartbeat(a === undefined ? undefined : { a }), sender),
    results: async (): Promise<readonly StoredResult[]> =>
      (
        await Array.fromAsync(
          store.results.page({ checkNo: no, from: 0, to: noon * 2, limit: 100, order: "oldest" }),
        )
      ).flat(),
    state: async () => (await store.states.get(no)).state,
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

test("a check whose heartbeats another process receives becomes stale each time that they stop", async () => {
  await using site = await twoProcesses({ rechecks: 1, parameters: { oldresultfail: true } });
  const { clock, store, one, other, send, state } = site;
  const stopping = new AbortController();
  const watching = createStalenessWatcher({
    store,
    receiveGaps: createReceiveGaps(clock),
    bus: quietBus(clock),
    heartbeats: one,
    reception: ownReception(createInterruptions(clock), lostBefore(clock, undefined)),
    eventLoop: { stalledSince: () => 0 },
    clock,
    log: silentLog,
    meter: noMeter,
  }).run(stopping.signal);
  for (const _time of [1, 2, 3]) {
    assert.equal(await send(other), "accepted");
    assert.equal(await state(), "passing");
    await clock.advance(minute - 1000);
    assert.equal(await state(), "passing");
    await clock.advance(5000);
    assert.equal(await state(), "failing");
    await clock.advance(20_000);
  }
  stopping.abort();
  await clock.advance(100);
  await watching;
});

test("a heartbeat whose sender is known, and that is refused before it is read, is a sign of life for the other processes", async () => {
  await using site = await twoProcesses({});
  const { id, no, one, seen } = site;
  await one.prove({ id, token: "ANOTHER1-EFG6-4HIJ-8KLM-NOPQRSTUVWX1" }, "192.0.2.1");
  assert.deepEqual(seen, []);
  await one.prove({ id, token }, "192.0.2.1");
  assert.deepEqual(seen, [no]);
});

const metric = { parameters: { fields: { a: { name: "a", max: 1 } } } };

test("of two processes that receive a check's heartbeats each flips it by the state that the other left", async () => {
  await using site = await twoProcesses(metric);
  const { clock, one, other, results } = site;
  const send = async (to: Heartbeats, a: number): Promise<string | undefined> => {
    await clock.advance(20_000);
    assert.equal(await site.send(to, a), "accepted");
    return site.state();
  };
  assert.equal(await send(one, 0), "passing");
  assert.equal(await send(other, 0), "passing");
  assert.equal(await send(one, 2), "failing");
  assert.equal(await send(other, 0), "passing");
  assert.equal(await send(one, 2), "failing");
  assert.equal(await send(other, 2), "failing");
  assert.equal(await send(one, 0), "passing");
  assert.deepEqual(
    (await results()).map(({ passed }) => passed),
    [true, true, false, true, false, false, true],
  );
});

for (const { name, values } of [
  { name: "that agree", values: [0, 0, 0, 0, 0, 0] },
  { name: "that flip the check each time", values: [0, 2, 0, 2, 0, 2] },
  { name: "that fail", values: [2, 2, 2, 2, 2, 2] },
])
  test(`two processes accept five heartbeats ${name} within a minute together`, async () => {
    await using site = await twoProcesses(metric);
    const { clock, one, other, send, results } = site;
    const statuses: string[] = [];
    for (const [index, value] of values.entries()) {
      await clock.advance(1000);
      statuses.push(await send(index % 2 === 0 ? one : other, value));
    }
    const five = Array.from({ length: 5 }, () => "accepted");
    assert.deepEqual(statuses, [...five, "throttled"]);
    assert.equal((await results()).length, 5);
    // The first of the five began a minute ago.
    await clock.advance(55_000);
    assert.equal(await send(other, 0), "accepted");
    assert.equal(await send(one, 0), "throttled");
  });

test("heartbeats that two processes receive in one millisecond are both stored", async () => {
  await using site = await twoProcesses({});
  const { one, other, send, results } = site;
  assert.deepEqual([await send(one), await send(other)], ["accepted", "accepted"]);
  assert.deepEqual(await Promise.all([send(one), send(other)]), ["accepted", "accepted"]);
  const starts = (await results()).map(({ startedAt }) => startedAt);
  assert.equal(new Set(starts).size, 4);
});
