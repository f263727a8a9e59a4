import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { DeliveryFailed } from "../kit/errors.ts";
import { createSendSlots, type SendSlot, type SendSlots } from "./send-slots.ts";

const refused = new DeliveryFailed("404", { retryable: false });
const later = new DeliveryFailed("429", { retryable: true });

type Queue = Parameters<SendSlots["take"]>[0];

function claimAll(slots: SendSlots, queues: readonly Queue[]): readonly SendSlot[] {
  return queues.flatMap((queue) => slots.claim(queue) ?? []);
}

function queueOf(accountId: string, destination: string, primaryId = accountId): Queue {
  return { accountId, primaryId, destination };
}

function queuesOf(accountId: string, count: number): readonly Queue[] {
  return Array.from({ length: count }, (_, index) =>
    queueOf(accountId, `webhook ${accountId}-${index}`),
  );
}

// guard: places of an account
test("an account has as many places as it leaves to all others, and those of another kind are not among them", () => {
  const slots = createSendSlots(fakeClock());
  assert.equal(claimAll(slots, queuesOf("ann", 1000)).length, 128);
  assert.equal(claimAll(slots, queuesOf("ben", 1000)).length, 64);
  assert.equal(claimAll(slots, queuesOf("cid", 1)).length, 1);
  assert.notEqual(slots.claim(queueOf("ann", "email")), undefined);
});

test("subaccounts have the places of their primary account together", () => {
  const slots = createSendSlots(fakeClock());
  const queues = Array.from({ length: 1000 }, (_, index) =>
    queueOf(`SUB${index}`, `webhook host${index}`, "ann"),
  );
  assert.equal(claimAll(slots, queues).length, 128);
  assert.equal(claimAll(slots, queuesOf("ben", 1000)).length, 64);
});

test("a destination has one place until it answers, then more, and one again after a timeout", async () => {
  const clock = fakeClock();
  const slots = createSendSlots(clock);
  const queue = queueOf("ann", "webhook host");
  const sizeAfter = async (tookMs: number, accepted: boolean): Promise<number> => {
    const [first, ...others] = claimAll(
      slots,
      Array.from({ length: 100 }, () => queue),
    );
    const begun = await first?.begin();
    assert.equal(begun, true);
    first?.free({ tookMs, failure: accepted ? undefined : refused });
    for (const other of others) other.free();
    const now = claimAll(
      slots,
      Array.from({ length: 100 }, () => queue),
    );
    for (const slot of now) slot.free();
    return now.length;
  };
  assert.equal(await sizeAfter(2000, true), 2 + 1, "two at a time, and one ahead");
  assert.equal(await sizeAfter(2000, true), 3 + 1);
  assert.equal(await sizeAfter(10_000, false), 1);
  assert.equal(await sizeAfter(1000, false), 2 + 1, "a refusal is an answer");
});

test("a destination that takes nothing is left alone before the next attempt, for twice as long each time, until it takes one", async () => {
  const clock = fakeClock();
  const slots = createSendSlots(clock);
  const queue = queueOf("ann", "webhook host");
  const attempt = async (retryable: boolean): Promise<void> => {
    const slot = slots.claim(queue);
    assert.equal(await slot?.begin(), true);
    slot?.free({ tookMs: 2, failure: retryable ? later : undefined });
  };
  for (let failed = 0; failed < 4; failed += 1) await attempt(true);
  for (const backoffMs of [100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
    const claimed = slots.take(queue);
    const begins = claimed.begin();
    await clock.advance(backoffMs - 1);
    assert.equal(slots.claim(queue), undefined);
    await clock.advance(1);
    assert.equal(await begins, true, "what was claimed before begins then");
    claimed.free();
    await attempt(true);
  }
  await clock.advance(5000);
  await attempt(false);
  const after = claimAll(
    slots,
    Array.from({ length: 100 }, () => queue),
  );
  assert.ok(after.length > 60, `${after.length} are claimed again`);
});

test("an attempt without a response for two seconds keeps no place from the others of its account, up to a bound over all kinds", async () => {
  const clock = fakeClock();
  const slots = createSendSlots(clock);
  const hanging: SendSlot[] = [];
  const hang = async (kind: string): Promise<number> => {
    const queues = Array.from({ length: 1000 }, (_, index) =>
      queueOf("ann", `${kind} ${hanging.length + index}`),
    );
    const begun = claimAll(slots, queues);
    for (const slot of begun) assert.equal(await slot.begin(), true);
    hanging.push(...begun);
    await clock.advance(2000);
    return begun.length;
  };
  assert.equal(await hang("webhook"), 128);
  assert.equal(await hang("webhook"), 128);
  assert.equal(await hang("slack"), 128);
  assert.equal(await hang("slack"), 0, "256 are slow already");
  assert.equal(await hang("webhook"), 128);
  assert.notEqual(slots.claim(queueOf("ben", "slack 1000")), undefined);
  for (const slot of hanging) slot.free({ tookMs: 60_000, failure: refused });
  assert.equal(claimAll(slots, queuesOf("cid", 1000)).length, 128, "no slot is lost");
  assert.equal(clock.pending(), 0);
});

test("accounts take turns at a destination, however many messages one of them has there", async () => {
  const slots = createSendSlots(fakeClock());
  const began: string[] = [];
  const waiting: SendSlot[] = [];
  for (const accountId of ["ann", "ann", "ann", "ann", "ben", "cid"]) {
    const slot = slots.take(queueOf(accountId, "email"));
    void slot.begin().then((isBegun) => {
      if (isBegun) began.push(accountId);
      waiting.push(slot);
    });
  }
  while (began.length < 6) {
    await drainEventLoop(1);
    waiting.shift()?.free();
  }
  assert.deepEqual(began, ["ann", "ann", "ben", "cid", "ann", "ann"]);
});

test("who waits too long is sent away, and closing sends all away who wait or come", async () => {
  const clock = fakeClock();
  const slots = createSendSlots(clock);
  const queue = queueOf("ann", "email");
  const [running, late, closed] = [slots.take(queue), slots.take(queue), slots.take(queue)];
  assert.equal(await running.begin(), true);
  const tooLate = late.begin(5000);
  const never = closed.begin();
  await clock.advance(5000);
  assert.equal(await tooLate, false);
  slots.close();
  assert.equal(await never, false);
  assert.equal(await slots.take(queue).begin(), false);
  running.free();
  assert.equal(clock.pending(), 0);
});

test("whatever comes and goes, no place is lost, none is left unused that somebody waits for, and an account of few is not kept out", async () => {
  const step = fc.record({
    accountId: fc.constantFrom("ann", "ben"),
    host: fc.constantFrom("one", "two", "three"),
    ends: fc.nat({ max: 5 }),
    timesOut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const slots = createSendSlots(fakeClock());
      const running: { readonly slot: SendSlot; readonly host: string }[] = [];
      const waiting = new Map<string, number>();
      const wait = (host: string, by: 1 | -1): void =>
        void waiting.set(host, (waiting.get(host) ?? 0) + by);
      for (const { accountId, host, ends, timesOut } of steps) {
        const slot = slots.claim(queueOf(accountId, `webhook ${host}`));
        if (slot !== undefined) {
          wait(host, 1);
          void slot.begin().then(() => {
            wait(host, -1);
            running.push({ slot, host });
          });
        }
        await drainEventLoop(1);
        const effect = { tookMs: timesOut ? 60_000 : 5, failure: timesOut ? refused : undefined };
        for (const ended of running.splice(0, ends)) ended.slot.free(effect);
        await drainEventLoop(1);
        for (const [name, count] of waiting)
          assert.ok(count === 0 || running.some((attempt) => attempt.host === name));
        for (const name of ["one", "two", "three"])
          assert.ok(running.filter((attempt) => attempt.host === name).length <= 4);
        const newcomer = slots.claim(queueOf("cid", "webhook new"));
        assert.notEqual(newcomer, undefined);
        newcomer?.free();
      }
      while (running.length > 0) {
        for (const { slot } of running.splice(0)) slot.free({ tookMs: 5 });
        await drainEventLoop(1);
      }
      assert.ok([...waiting.values()].every((count) => count === 0));
    }),
    { numRuns: 30 },
  );
});
