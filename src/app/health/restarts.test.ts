import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSameThreadDatabase } from "../../../test/stores/same-thread-database.ts";
import { storeFolder } from "../../../test/stores/store-folder.ts";
import { createInterruptions, lengthSince } from "../../kit/interruptions.ts";
import { silentLog } from "../../kit/log.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { lostBefore, ownHearing, receptionToKeep } from "../../store/hearing.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";

const minute = 60_000;

test("restarts are known to have been as short as they were, and what nothing is known of is lost", async () => {
  const directory = await storeFolder();
  const clock = fakeClock();
  const sealer = createSealer(new Uint8Array(32));
  const openThread = createSameThreadDatabase;
  /** How many of the last 20 minutes were lost when a process begins, which then lives for so many and is interrupted for one of them. */
  const minutesLost = async (livesFor: number): Promise<number> => {
    const interruptions = createInterruptions(clock);
    const options = { directory, clock, sealer, log: silentLog, openThread, interruptions };
    const store = await openSqliteStore(options);
    const hearing = ownHearing(interruptions, lostBefore(clock, store.receptionBefore?.()));
    const lostMs = hearing.lostSince(clock.monotonic() - 20 * minute);
    clock.jump(minute);
    interruptions.record("store", clock.monotonic() - minute, clock.monotonic());
    clock.jump((livesFor - 1) * minute);
    await store.probeWrite();
    await store.close();
    return lostMs / minute;
  };
  try {
    assert.equal(await minutesLost(4), 20, "there was none before");
    clock.jump(3 * minute);
    assert.equal(await minutesLost(4), 13 + 1 + 3);
    clock.jump(2 * minute);
    assert.equal(await minutesLost(4), 7 + (1 + 3) + (1 + 2));
    clock.jump(2 * minute);
    assert.equal(await minutesLost(4), 1 + (1 + 3) + (1 + 2) + (1 + 2));
    clock.step(-10 * minute);
    assert.equal(await minutesLost(4), 20, "the clock was set back meanwhile");
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("of very many interruptions the oldest are forgotten, and nothing is known of what was before them", () => {
  const clock = fakeClock();
  const lost = Array.from({ length: 500 }, (_, index) => ({
    from: index * minute,
    to: index * minute + 2000,
  }));
  clock.jump(500 * minute);
  const kept = receptionToKeep(clock, lost);
  assert.ok(JSON.stringify(kept).length < 4000);
  const before = lostBefore(clock, kept);
  assert.equal(lengthSince(490 * minute, before), 10 * 2000);
  assert.ok(lengthSince(0, before) > 400 * minute);
  // Those that no client can have felt are not worth their place.
  assert.deepEqual(receptionToKeep(clock, [{ from: 0, to: 900 }]).lost, []);
});
