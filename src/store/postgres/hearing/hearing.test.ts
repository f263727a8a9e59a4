import assert from "node:assert/strict";
import { test } from "node:test";

import { migratedDatabase, testServer } from "../../../../test/stores/postgres-store.ts";
import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { stepUntil } from "../../../../test/time/wait-for.ts";
import { createInterruptions } from "../../../kit/interruptions.ts";
import { silentLog } from "../../../kit/log.ts";
import { createHearingRows } from "./hearing-rows.ts";
import { createHearing } from "./hearing.ts";

const server = testServer();

test("over one database a controller knows what those who receive heartbeats went through", async () => {
  const db = await migratedDatabase(server());
  const rows = createHearingRows(db);
  const clock = fakeClock();
  const make = (id: string, hears: boolean) => {
    const interruptions = createInterruptions(clock);
    const deps = { rows, id, hears, interruptions, clock, log: silentLog };
    return { interruptions, hearing: createHearing(deps) };
  };
  const controller = make("controller", false);
  const apis = [make("one", true), make("two", true)] as const;
  const heardMs = (): number => clock.monotonic() - controller.hearing.lastEnd();
  const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
    stepUntil(what, async () => {
      await clock.advance(100);
      return isSo();
    });
  await until("both hear", () => controller.hearing.live() === 2 && heardMs() > 5000);
  apis[0].hearing.saw(7);
  apis[0].hearing.saw(7);
  await until(
    "it has said what it saw",
    async () => (await controller.hearing.lastSeen(7)) !== undefined,
  );
  assert.equal(await controller.hearing.lastSeen(8), undefined);
  const end = apis[1].interruptions.begin("store");
  await until("one does not", () => heardMs() === 0);
  await clock.advance(5000);
  end();
  await until("it does again", () => heardMs() > 2000);
  apis[1].interruptions.record("stalled", clock.monotonic() - 1500, clock.monotonic());
  await until("it stood still meanwhile", () => heardMs() <= 1000);
  await until("all hear", () => heardMs() > 2000);
  await apis[1].hearing.close();
  await until("one has left", () => heardMs() <= 1000 && controller.hearing.live() === 1);
  await until("the other goes on", () => heardMs() > 2000);
  assert.deepEqual(
    (await rows.list()).map(({ id }) => id),
    ["one"],
  );
  await Promise.all([apis[0].hearing.close(), controller.hearing.close()]);
  assert.deepEqual(await rows.list(), []);
});
