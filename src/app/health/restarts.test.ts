import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSameThreadDatabase } from "../../../test/stores/same-thread-database.ts";
import { storeFolder } from "../../../test/stores/store-folder.ts";
import { createInterruptions } from "../../kit/interruptions.ts";
import { silentLog } from "../../kit/log.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { downtimeSince, ownHearing } from "../../store/hearing.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";

const minute = 60_000;

test("a restart is known to have been as short as it was, and one of which nothing is known is long", async () => {
  const directory = await storeFolder();
  const clock = fakeClock();
  const sealer = createSealer(new Uint8Array(32));
  const openThread = createSameThreadDatabase;
  /** How many minutes nobody was alive before a process that then lives for so many; Infinity where nobody knows. */
  const minutesAwayBefore = async (livesFor: number): Promise<number> => {
    const store = await openSqliteStore({ directory, clock, sealer, log: silentLog, openThread });
    const downtime = downtimeSince(clock, store.aliveBefore?.());
    const hearing = ownHearing(createInterruptions(clock), downtime);
    const isLong = (ms: number): boolean => hearing.lastLongEnd(ms, 0) === clock.monotonic();
    assert.ok(isLong(downtime.lastedMs));
    assert.equal(isLong(downtime.lastedMs + 1), downtime.lastedMs === Infinity);
    clock.jump(livesFor * minute);
    await store.probeWrite();
    await store.close();
    return downtime.lastedMs / minute;
  };
  try {
    assert.equal(await minutesAwayBefore(60), Infinity, "there was none before");
    clock.jump(3 * minute);
    assert.equal(await minutesAwayBefore(59), 3);
    clock.jump(3 * minute);
    assert.equal(await minutesAwayBefore(60), Infinity, "that one may be one of many");
    clock.step(-10 * minute);
    assert.equal(await minutesAwayBefore(60), Infinity, "the clock was set back meanwhile");
  } finally {
    await rm(directory, { recursive: true });
  }
});
