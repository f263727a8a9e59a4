import assert from "node:assert/strict";
import { test } from "node:test";

import { aHeartbeat, aPushCheck, token } from "../../test/harnesses/push-harness.ts";
import { quietBus } from "../../test/harnesses/quiet-bus.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { advanceWithDisk, countWrites } from "../../test/stores/count-writes.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { createReceiveGaps } from "../kit/http/receive-gaps.ts";
import { createIds } from "../kit/ids.ts";
import { createInterruptions } from "../kit/interruptions.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { lostBefore, ownReception } from "../store/heartbeat-reception.ts";
import { createHeartbeats } from "../heartbeats/heartbeats.ts";
import { createStalenessWatcher } from "./staleness.ts";

/** As over PostgreSQL: what fell silent within it is known when it is judged. */
const KNOWN_AFTER_MS = 7000;
const CHECKS = 8;

/** Watches checks of a minute; `send` sends a heartbeat of some, and `failing` gives how many are. */
async function watchMany() {
  const clock = fakeClock();
  const temp = await tempStore({ clock });
  const writes = countWrites(temp);
  const { store } = writes;
  const ids = Array.from({ length: CHECKS }, (_, index) => `${alice.id}-PUSHED${index}`);
  const numbers = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    const changes = { rechecks: 1, notifications: [], parameters: { oldresultfail: true } };
    const made = [];
    for (const id of ids)
      made.push(await tx.checks.insert({ ...aPushCheck(changes), id, uuid: id }));
    return made.map(({ no }) => no);
  });
  const quiet = { clock, log: silentLog, meter: noMeter };
  const heartbeats = createHeartbeats({ store, flipped() {}, ids: createIds(), ...quiet });
  const reception = {
    ...ownReception(createInterruptions(clock), lostBefore(clock, undefined)),
    knownAfterMs: KNOWN_AFTER_MS,
  };
  const stopping = new AbortController();
  const watching = createStalenessWatcher({
    store,
    receiveGaps: createReceiveGaps(clock),
    bus: quietBus(clock),
    heartbeats,
    reception,
    eventLoop: { stalledSince: () => 0 },
    ...quiet,
  }).run(stopping.signal);
  return {
    advance: advanceWithDisk(clock, writes.pending),
    async send(count: number): Promise<void> {
      const sender = { peer: "192.0.2.1", maySend: () => true };
      for (const id of ids.slice(0, count))
        assert.equal(
          await heartbeats.accept(aHeartbeat({}, `/v1/${id}/${token}`), sender),
          "accepted",
        );
    },
    async failing(): Promise<number> {
      const states = await Promise.all(numbers.map((no) => store.states.get(no)));
      return states.filter(({ state }) => state === "failing").length;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stopping.abort();
      await clock.advance(100);
      await watching;
      await temp[Symbol.asyncDispose]();
    },
  };
}

test("where more than half of the checks fall silent at once each is judged again after half a minute, and those that sent a heartbeat by then do not fail", async () => {
  await using site = await watchMany();
  await site.send(CHECKS);
  await site.advance(minute + KNOWN_AFTER_MS + 5000);
  assert.equal(await site.failing(), 0);
  await site.send(2);
  await site.advance(30_000);
  assert.equal(await site.failing(), CHECKS - 2);
});

test("where fewer do they fail at once", async () => {
  await using site = await watchMany();
  await site.send(CHECKS);
  await site.advance(30_000);
  await site.send(CHECKS - 3);
  await site.advance(minute - 30_000 + KNOWN_AFTER_MS + 5000);
  assert.equal(await site.failing(), 3);
});
