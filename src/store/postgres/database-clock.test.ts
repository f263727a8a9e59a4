import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { silentLog } from "../../kit/log.ts";
import { createDatabaseClock } from "./database-clock.ts";

/** A database whose clock goes steadily at some distance from that of the process, and whose answer takes some time. */
async function scene() {
  const clock = fakeClock();
  const database = { aheadMs: 90_000, isAway: false, answersAfterMs: 0 };
  const read = async (): Promise<number> => {
    if (database.isAway) throw new Unavailable("away");
    const now = clock.now() + database.aheadMs;
    if (database.answersAfterMs > 0)
      await new Promise<void>((resolve) => clock.setTimer(resolve, database.answersAfterMs));
    return now;
  };
  const opened = await createDatabaseClock({ read, clock, log: silentLog });
  return { clock, database, opened, aheadMs: () => opened.now() - clock.now() };
}

test("the time is that of the database, whatever the machine's own clock is set to", async () => {
  const { clock, opened, aheadMs } = await scene();
  assert.equal(aheadMs(), 90_000);
  const before = opened.now();
  clock.step(3_600_000);
  assert.equal(opened.now(), before);
  await opened.close();
});

test("it is set with the database's clock, and goes on while that cannot be read", async () => {
  const { clock, database, opened, aheadMs } = await scene();
  database.isAway = true;
  database.aheadMs = -90_000;
  await clock.advance(60_000);
  assert.equal(aheadMs(), 90_000);
  database.isAway = false;
  await clock.advance(10_000);
  assert.equal(aheadMs(), -90_000);
  await opened.close();
});

test("the round trip is the median of the last five: not the way that opened the connection, and no single slow one", async () => {
  const { clock, database, opened } = await scene();
  database.answersAfterMs = 80;
  await clock.advance(25_000);
  assert.equal(opened.roundTripMs(), 80);
  database.answersAfterMs = 1900;
  await clock.advance(5000);
  assert.equal(opened.roundTripMs(), 80, "one answer was slow");
  await clock.advance(25_000);
  assert.equal(opened.roundTripMs(), 1900, "all are");
  await opened.close();
});

test("an answer that takes its time moves nothing that it does not prove wrong", async () => {
  const { clock, database, opened, aheadMs } = await scene();
  database.answersAfterMs = 400;
  await clock.advance(30_000);
  assert.equal(aheadMs(), 90_000);
  database.aheadMs = 89_000;
  await clock.advance(30_000);
  assert.equal(aheadMs(), 89_000);
  await opened.close();
});
