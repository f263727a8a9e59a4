import assert from "node:assert/strict";
import { test } from "node:test";

import { restartContract } from "../../../../test/contracts/store/restarts.ts";
import { migratedDatabase, testServer } from "../../../../test/stores/postgres-store.ts";
import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { stepUntil } from "../../../../test/time/wait-for.ts";
import { createInterruptions } from "../../../kit/interruptions.ts";
import { silentLog } from "../../../kit/log.ts";
import { createOwnListener } from "../../../kit/net/own-listener.ts";
import { createReceptionRows, type ReceptionRows } from "./reception-rows.ts";
import { createReception } from "./reception.ts";

const server = testServer();

restartContract("PostgreSQL", async (clock) => {
  const rows = createReceptionRows(await migratedDatabase(server()));
  let processes = 0;
  return {
    async start(interruptions) {
      processes += 1;
      let isDead = false;
      const mortal: ReceptionRows = {
        ...rows,
        // A process that is killed leaves nothing right.
        leave: (id) => (isDead ? Promise.resolve() : rows.leave(id)),
      };
      const reception = createReception({
        rows: mortal,
        id: `process ${processes}`,
        hears: true,
        interruptions,
        listener: createOwnListener(undefined, () => [], "a network"),
        clock,
        log: silentLog,
      });
      /** Between two rounds, a process waits for nothing but the clock. */
      const isIdle = () => stepUntil("the end of a round", () => clock.pending() > 0);
      await isIdle();
      return {
        reception,
        async live(ms) {
          for (let left = ms; left > 0; left -= 1000) {
            await clock.advance(Math.min(left, 1000));
            await isIdle();
          }
        },
        async end(how) {
          isDead = how === "killed";
          await reception.close();
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

test("over one database a controller knows what those who receive heartbeats went through", async () => {
  const db = await migratedDatabase(server());
  const rows = createReceptionRows(db);
  const clock = fakeClock();
  const make = (id: string, hears: boolean) => {
    const interruptions = createInterruptions(clock);
    const listener = createOwnListener(undefined, () => [], "a network");
    const deps = { rows, id, hears, interruptions, listener, clock, log: silentLog };
    return { interruptions, reception: createReception(deps) };
  };
  const controller = make("controller", false);
  const apis = [make("one", true), make("two", true)] as const;
  const heardMs = (): number => clock.monotonic() - controller.reception.lastEnd();
  const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
    stepUntil(what, async () => {
      await clock.advance(100);
      return isSo();
    });
  await until("both hear", () => controller.reception.live() === 2 && heardMs() > 5000);
  apis[0].reception.recordProofOfLife(7);
  apis[0].reception.recordProofOfLife(7);
  await until(
    "it has said what it saw",
    async () => (await controller.reception.lastSeen(7)) !== undefined,
  );
  assert.equal(await controller.reception.lastSeen(8), undefined);
  const end = apis[1].interruptions.begin("store");
  await until("one does not", () => heardMs() === 0);
  await clock.advance(5000);
  end();
  await until("it does again", () => heardMs() > 2000);
  apis[1].interruptions.record("stalled", clock.monotonic() - 1500, clock.monotonic());
  await until("it stood still meanwhile", () => heardMs() <= 1000);
  await until("all hear", () => heardMs() > 2000);
  await apis[1].reception.close();
  await until("one has left", () => heardMs() <= 1000 && controller.reception.live() === 1);
  await until("the other goes on", () => heardMs() > 2000);
  assert.deepEqual(
    (await rows.list()).map(({ id }) => id),
    ["one"],
  );
  await Promise.all([apis[0].reception.close(), controller.reception.close()]);
  assert.deepEqual(await rows.list(), []);
});

test("a process that sends alerts knows where the others accept connections, until they leave", async () => {
  const rows = createReceptionRows(await migratedDatabase(server()));
  const clock = fakeClock();
  const make = (id: string, address: string, network: string) => {
    const listener = createOwnListener(undefined, () => ["127.0.0.1", address], network);
    const hears = id !== "notifier";
    const interruptions = createInterruptions(clock);
    const reception = createReception({
      rows,
      id,
      hears,
      interruptions,
      listener,
      clock,
      log: silentLog,
    });
    return { listener, reception };
  };
  const notifier = make("notifier", "192.0.2.1", "one machine");
  const near = make("near", "192.0.2.1", "one machine");
  const far = make("far", "192.0.2.2", "another");
  const until = (what: string, isSo: () => boolean) =>
    stepUntil(what, async () => {
      await clock.advance(100);
      return isSo();
    });
  await until("both are there", () => notifier.reception.live() === 2);
  const { isAt } = notifier.listener;
  assert.equal(isAt("192.0.2.2", 4848), false, "it does not listen yet");
  near.listener.listensAt(4950);
  far.listener.listensAt(4848);
  await until("it is known", () => isAt("192.0.2.2", 4848) && isAt("127.0.0.1", 4950));
  assert.deepEqual([isAt("127.0.0.1", 4848), isAt("192.0.2.2", 4950)], [false, false]);
  await far.reception.close();
  await until("one has left", () => !isAt("192.0.2.2", 4848));
  assert.equal(isAt("127.0.0.1", 4950), true);
  await Promise.all([near.reception.close(), notifier.reception.close()]);
});
