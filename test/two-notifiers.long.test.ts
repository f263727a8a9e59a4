import assert from "node:assert/strict";
import { test } from "node:test";

import { channelsBy } from "../src/channels/registry.ts";
import type { Channel, SendContext } from "../src/channels/channel.ts";
import { sleep, type Clock } from "../src/kit/clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { DeliveryFailed } from "../src/kit/errors.ts";
import { createIds } from "../src/kit/ids.ts";
import { noMeter } from "../src/kit/meter.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { attemptMs, abortGraceMs } from "../src/notifier/sending/attempt.ts";
import { leaseMs } from "../src/notifier/alert-queue.ts";
import { createSendSlots } from "../src/notifier/send-slots.ts";
import { createNotifier } from "../src/notifier/notifier.ts";
import type { Store } from "../src/store/store.ts";
import { createRandom } from "./chaos/random.ts";
import { stepUntil } from "./time/wait-for.ts";
import {
  hookAddress,
  digestChannel,
  notifierHarness,
  scriptedChannel,
  type NotifierHarness,
  type Sender,
} from "./harnesses/notifier-harness.ts";
import { alice, minute } from "./record-builders.ts";
import { sampleAcknowledgeLinks, samplePageLinks } from "./sample-alert.ts";

/*
 * A data folder opens for one process alone, so the notifiers are in this one, over one store: each claim is a transaction of
 * its own, and what keeps them apart is nothing but the lease.
 */

const OK = { response: "200 OK" };
const later = new DeliveryFailed("503 later", { retryable: true });
const never = new DeliveryFailed("410 gone", { retryable: false });

/** How a notifier sends several alerts in one message, where it does. */
interface Together {
  readonly channelTo?: (sender: Sender) => Channel;
  readonly groupWaitMs?: number;
}

/** One of several notifiers, which can be kept from doing anything, as a process that is stopped or gone. */
interface NotifierInstance {
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Logged events. */
  readonly events: readonly string[];
  readonly stop: () => Promise<void>;
}

function notifierOn(
  { clock, store }: Pick<NotifierHarness, "clock" | "store">,
  sender: Sender,
  { channelTo = scriptedChannel, groupWaitMs = 0 }: Together = {},
): NotifierInstance {
  const events: string[] = [];
  let frozen: PromiseWithResolvers<void> | undefined;
  const running = async (): Promise<void> => {
    while (frozen !== undefined) await frozen.promise;
  };
  const whenRunning = async <Value>(work: () => Value): Promise<Awaited<Value>> => {
    await running();
    return await work();
  };
  const own: Clock = {
    ...clock,
    setTimer: (callback, delayMs) => {
      let isCancelled = false;
      const timer = clock.setTimer(() => {
        void whenRunning(() => isCancelled || callback());
      }, delayMs);
      return {
        cancel() {
          isCancelled = true;
          timer.cancel();
        },
      };
    },
  };
  const seen: Store = {
    ...store,
    alerts: {
      ...store.alerts,
      msUntilDue: () => whenRunning(() => store.alerts.msUntilDue()),
    },
    write: (unit) => whenRunning(() => store.write(unit)),
  };
  const keep = (event: string): void => void events.push(event);
  const notifier = createNotifier({
    store: seen,
    channels: channelsBy(() =>
      channelTo(async (sent, wire) => {
        const [answer] = await Promise.allSettled([sender(sent, wire)]);
        return whenRunning(() => {
          if (answer.status === "rejected") throw answer.reason;
          return answer.value;
        });
      }),
    ),
    clock: own,
    log: { info: keep, warn: keep, error: keep },
    meter: noMeter,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    ids: createIds(),
    acknowledgeLinks: sampleAcknowledgeLinks,
    pageLinks: samplePageLinks,
    url: "https://watch.example.org/",
    groupWaitMs,
    alertMailLimit: 0,
    slots: createSendSlots(own),
    random: () => 1,
  });
  const stopping = new AbortController();
  const run = notifier.run(stopping.signal);
  const thaw = (): void => {
    const { resolve } = frozen ?? {};
    frozen = undefined;
    resolve?.();
  };
  return {
    events,
    freeze() {
      frozen = Promise.withResolvers();
    },
    thaw,
    async stop() {
      thaw();
      stopping.abort();
      let isOver = false;
      void run.finally(() => (isOver = true));
      await stepUntil("it stops", async () => {
        await clock.advance(1000);
        return isOver;
      });
    },
  };
}

interface Attempted {
  readonly by: string;
  readonly alertId: string;
  readonly attempt: number;
  readonly at: number;
}

/** Starts two notifiers over one store, the second of which starts when `second` is called, and records what reached the receiver. */
async function twoNotifiers(answer: () => Promise<typeof OK>): Promise<
  AsyncDisposable & {
    readonly bench: NotifierHarness;
    readonly seen: readonly Attempted[];
    readonly first: NotifierInstance;
    readonly second: () => NotifierInstance;
  }
> {
  const bench = await notifierHarness();
  await bench.stop();
  const seen: Attempted[] = [];
  const notifiers: NotifierInstance[] = [];
  const startNotifier = (by: string): NotifierInstance => {
    const made = notifierOn(bench, ({ alertId, attempt }) => {
      seen.push({ by, alertId, attempt, at: bench.clock.now() });
      return answer();
    });
    notifiers.push(made);
    return made;
  };
  return {
    bench,
    seen,
    first: startNotifier("first"),
    second: () => startNotifier("second"),
    async [Symbol.asyncDispose]() {
      for (const each of notifiers) await each.stop();
      await bench[Symbol.asyncDispose]();
    },
  };
}

const answers = [
  { what: "was taken", first: () => Promise.resolve(OK) },
  { what: "is to come later", first: () => Promise.reject(later) },
  { what: "is refused for good", first: () => Promise.reject(never) },
] as const;

for (const { what, first: answerFirst } of answers) {
  for (const isOver of [false, true]) {
    const when = isOver ? "has sent it" : "is sending it";
    test(`one that is stopped in an attempt, and finds that it ${what} when another ${when}, changes nothing`, async () => {
      const second = Promise.withResolvers<typeof OK>();
      await using both = await twoNotifiers(() => {
        if (both.seen.length > 1)
          return both.seen.length === 2 ? second.promise : Promise.resolve(OK);
        both.first.freeze();
        return answerFirst();
      });
      const { bench, seen } = both;
      await bench.flip(undefined, "failing");
      await bench.until("the first sends it", () => seen.length === 1);
      both.second();
      const claimedAt = seen[0]?.at ?? 0;
      await bench.until(
        "the lease is nearly over",
        () => bench.clock.now() > claimedAt + leaseMs - 200,
      );
      assert.equal(seen.length, 1, "nobody else sends while the lease lasts");
      await bench.until("the second takes over", () => seen.length === 2);
      assert.ok((seen[1]?.at ?? 0) <= claimedAt + leaseMs + 5000, "soon after the lease");
      assert.deepEqual(
        seen.map(({ by, alertId, attempt }) => [by, alertId, attempt]),
        [
          ["first", seen[0]?.alertId, 1],
          ["second", seen[0]?.alertId, 2],
        ],
      );

      if (isOver) second.resolve(OK);
      const isDelivered = async (): Promise<boolean> =>
        (await bench.ends())[0] === "first delivered";
      if (isOver) await bench.until("it is delivered", isDelivered);
      both.first.thaw();
      const attempts = async (): Promise<readonly number[]> => {
        const made = await bench.store.deliveries.list([alice.id], [seen[0]?.alertId ?? ""]);
        return made.map(({ attempt }) => attempt);
      };
      await bench.until("the first is done with it", async () => (await attempts()).includes(1));
      await bench.clock.advance(attemptMs - abortGraceMs);
      second.resolve(OK);
      await bench.until("it is delivered", isDelivered);
      await bench.flip("failing", "passing");
      await bench.until(
        "the Up is sent",
        async () => (await bench.ends()).join() === "first delivered,up delivered",
      );
      await bench.clock.advance(30 * minute);
      assert.equal(seen.length, 3, "twice the one, once the other");
      assert.deepEqual(new Set(await attempts()), new Set([1, 2]));
      assert.equal((await bench.notifications())[0]?.attempts, 2, "nobody claimed it once more");
    });
  }
}

test("what one had begun that never comes back, another sends under the same id", async () => {
  await using both = await twoNotifiers(() => {
    if (both.seen.length === 1) both.first.freeze();
    return Promise.resolve(OK);
  });
  const { bench, seen } = both;
  await bench.flip(undefined, "failing");
  await bench.until("the first sends it", () => seen.length === 1);
  both.second();
  await bench.until(
    "the second has sent it",
    async () => (await bench.ends())[0] === "first delivered",
  );
  assert.ok((seen[1]?.at ?? 0) >= (seen[0]?.at ?? 0) + leaseMs);
  assert.equal(seen[1]?.alertId, seen[0]?.alertId);
  await bench.flip("failing", "passing");
  await bench.until(
    "the Up is sent",
    async () => (await bench.ends()).join() === "first delivered,up delivered",
  );
  assert.deepEqual(
    seen.map(({ by }) => by),
    ["first", "second", "second"],
  );
});

const settleAll = { channelTo: digestChannel, groupWaitMs: 5000 };

for (const { seed, how, what } of [
  { seed: 1, how: {}, what: "each on its own" },
  { seed: 2, how: {}, what: "each on its own" },
  { seed: 3, how: settleAll, what: "several at once" },
  { seed: 4, how: settleAll, what: "several at once" },
]) {
  test(`three over one store send each of hundreds of alerts once and in order, ${what}, whatever the receivers do, seed ${seed}`, async () => {
    const addresses = ["ann", "ben", "cid"].map((id) => hookAddress(id));
    await using bench = await notifierHarness({ addresses, checks: 40 });
    await bench.stop();
    const dice = createRandom(seed);
    const inFlight = new Set<string>();
    const accepted: string[] = [];
    const troubles: string[] = [];
    const busy = new Set<string>();
    /** All alerts in a message have the same outcome. */
    const travels = new Map<string, Promise<void>>();
    const travel = async ({ clock, signal }: SendContext): Promise<void> => {
      await sleep(clock, Math.round(8000 * dice.next() ** 3), signal);
      if (dice.chance(0.2)) throw later;
    };
    const senderOf =
      (by: string): Sender =>
      async ({ alertId, message, attempt }, wire) => {
        busy.add(by);
        if (inFlight.has(alertId)) troubles.push(`${alertId} is sent by two`);
        inFlight.add(alertId);
        const key = `${message} ${attempt}`;
        const outcome = travels.get(key) ?? travel(wire);
        travels.set(key, outcome);
        const due = await bench.store.alerts.listDue(9999);
        if (due.some(({ id }) => id === alertId)) troubles.push(`${alertId} is not held`);
        await outcome.finally(() => inFlight.delete(alertId));
        accepted.push(alertId);
        return OK;
      };
    const notifiers = ["one", "two", "three"].map((by) => notifierOn(bench, senderOf(by), how));
    const flips = bench.checks
      .flatMap((check) => {
        const [first, second, third] = [dice.next(), dice.next(), dice.next()];
        return [
          { at: first, check, from: undefined, to: "failing" },
          { at: first + second, check, from: "failing", to: "passing" },
          { at: first + second + third, check, from: "passing", to: "failing" },
        ] as const;
      })
      .toSorted((one, other) => one.at - other.at);
    const start = bench.clock.now();
    for (const { at, check, from, to } of flips) {
      await bench.clock.advance(Math.max(0, start + Math.round(at * minute) - bench.clock.now()));
      await bench.flip(from, to, check);
    }
    const isOver = async (): Promise<boolean> =>
      (await bench.ends()).every((end) => !end.endsWith("waiting"));
    await bench.until("all have their end", isOver, 500);
    for (const notifier of notifiers) await notifier.stop();

    const notifications = await bench.notifications();
    const delivered = notifications.filter(({ status }) => status === "delivered");
    assert.deepEqual(troubles, []);
    assert.ok(
      delivered.length > 200,
      `${delivered.length} of ${notifications.length} were to be sent`,
    );
    assert.deepEqual(
      notifications.filter(({ status }) => status === "failed"),
      [],
    );
    assert.equal(
      delivered.some(({ bundle }) => bundle !== undefined),
      how === settleAll,
    );
    assert.deepEqual(accepted.toSorted(), delivered.map(({ alertId }) => alertId).toSorted());
    const slot = new Map(accepted.map((alertId, index) => [alertId, index]));
    const lines = Map.groupBy(delivered, ({ checkId, addressId }) => `${checkId} ${addressId}`);
    for (const line of lines.values()) {
      const places = line.map(({ alertId }) => slot.get(alertId) ?? 0);
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      );
    }
    assert.deepEqual([...busy].toSorted(), ["one", "three", "two"]);
  });
}
