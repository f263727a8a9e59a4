import assert from "node:assert/strict";
import { test } from "node:test";

import { aPushCheck, token } from "../../test/harnesses/push-harness.ts";
import { alice } from "../../test/record-builders.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createHeartbeats } from "./heartbeats.ts";
import type { Heartbeats } from "./heartbeats.ts";

test("of two processes that receive a check's heartbeats each flips it by the state that the other left", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ clock });
  const { id, no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aPushCheck({ parameters: { fields: { a: { name: "a", max: 1 } } } }));
  });
  const processes = [0, 1].map(() =>
    createHeartbeats({
      store,
      sharesChecks: true,
      flipped() {},
      ids: createIds(),
      clock,
      log: silentLog,
      meter: noMeter,
    }),
  );
  const sender = { peer: "192.0.2.1", maySend: () => true };
  const send = async (to: Heartbeats | undefined, a: number): Promise<string | undefined> => {
    await clock.advance(20_000);
    assert.equal(await to?.accept({ id, token, data: { a } }, sender), "accepted");
    return (await store.states.get(no)).state;
  };
  const [one, other] = processes;
  assert.equal(await send(one, 0), "passing");
  assert.equal(await send(other, 0), "passing");
  assert.equal(await send(one, 2), "failing");
  assert.equal(await send(other, 0), "passing");
  assert.equal(await send(one, 2), "failing");
  assert.equal(await send(other, 2), "failing");
  assert.equal(await send(one, 0), "passing");
  const stored: unknown[] = [];
  for await (const page of store.results.page({
    checkNo: no,
    from: 0,
    to: clock.now(),
    limit: 100,
    order: "oldest",
  }))
    stored.push(...page.map(({ passed }) => passed));
  assert.deepEqual(stored, [true, true, false, true, false, false, true]);
});
