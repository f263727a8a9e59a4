import assert from "node:assert/strict";
import { test } from "node:test";

import { aPushCheck, token } from "../../test/harnesses/push-harness.ts";
import { alice, noon } from "../../test/record-builders.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { StoredResult } from "../store/results.ts";
import { createHeartbeats } from "./heartbeats.ts";
import type { HeartbeatStatus } from "./heartbeats.ts";

async function twoProcesses(parameters: Readonly<Record<string, unknown>>) {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const { id, no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aPushCheck({ parameters }));
  });
  const sender = { peer: "192.0.2.1", maySend: () => true };
  const [one, other] = [0, 1].map(() => {
    const quiet = { log: silentLog, meter: noMeter };
    const about = { store, ids: createIds(), clock, ...quiet };
    const { accept } = createHeartbeats({ ...about, sharesChecks: true, flipped() {} });
    return (a?: number): Promise<HeartbeatStatus> =>
      accept({ id, token, data: a === undefined ? undefined : { a } }, sender);
  });
  assert.ok(one && other);
  const results = async (): Promise<readonly StoredResult[]> =>
    (
      await Array.fromAsync(
        store.results.page({ checkNo: no, from: 0, to: noon * 2, limit: 100, order: "oldest" }),
      )
    ).flat();
  return { store, clock, no, one, other, results };
}

const metric = { fields: { a: { name: "a", max: 1 } } };

test("of two processes that receive a check's heartbeats each flips it by the state that the other left", async () => {
  const { store, clock, no, one, other, results } = await twoProcesses(metric);
  await using _ = store;
  const send = async (to: typeof one, a: number): Promise<string | undefined> => {
    await clock.advance(20_000);
    assert.equal(await to(a), "accepted");
    return (await store.states.get(no)).state;
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
    const { store, clock, one, other, results } = await twoProcesses(metric);
    await using _ = store;
    const statuses: string[] = [];
    for (const [index, value] of values.entries()) {
      await clock.advance(1000);
      statuses.push(await (index % 2 === 0 ? one : other)(value));
    }
    const five = Array.from({ length: 5 }, () => "accepted");
    assert.deepEqual(statuses, [...five, "throttled"]);
    assert.equal((await results()).length, 5);
    // The first of the five began a minute ago.
    await clock.advance(55_000);
    assert.equal(await other(0), "accepted");
    assert.equal(await one(0), "throttled");
  });

test("heartbeats that two processes receive in one millisecond are both stored", async () => {
  const { store, one, other, results } = await twoProcesses({});
  await using _ = store;
  assert.deepEqual([await one(), await other()], ["accepted", "accepted"]);
  assert.deepEqual(await Promise.all([one(), other()]), ["accepted", "accepted"]);
  const starts = (await results()).map(({ startedAt }) => startedAt);
  assert.equal(new Set(starts).size, 4);
});
