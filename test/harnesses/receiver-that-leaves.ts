import type { Channel } from "../../src/channels/channel.ts";
import { DeliveryFailed } from "../../src/kit/errors.ts";
import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
  type NotifierHarnessOptions,
  type Sender,
} from "./notifier-harness.ts";

const refused = new DeliveryFailed("connect ECONNREFUSED", {
  retryable: true,
  receiverAway: true,
});

/** The one of `notifierHarness` where no addresses are given. */
const ANN = hookAddress("ann").address;

export interface Attempted {
  /** Time on the monotonic clock. */
  readonly at: number;
  readonly address: string;
  readonly id: string;
  readonly kind: string;
  readonly message: string;
}

export interface AwayHarness extends NotifierHarness {
  readonly attempts: readonly Attempted[];
  /** Addresses whose receiver is away. */
  readonly away: Set<string>;
  /** Has each check go down, one every `everyMs`. */
  readonly allGoDown: (everyMs?: number) => Promise<void>;
  readonly pass: (ms: number) => Promise<void>;
  /** Has all receivers return, and waits until every alert has been delivered: how long that took. */
  readonly returnedWithin: () => Promise<number>;
}

/** A notifier whose receivers at `leaving` are away from the beginning. */
export async function awayHarness({
  leaving = [ANN],
  channel,
  ...options
}: Omit<NotifierHarnessOptions, "channel"> & {
  readonly leaving?: readonly string[];
  readonly channel?: (sender: Sender) => Channel;
} = {}): Promise<AwayHarness> {
  const away = new Set(leaving);
  const attempts: Attempted[] = [];
  const sender: Sender = ({ address, alertId: id, kind, message }) => {
    attempts.push({ at: bench.clock.monotonic(), address, id, kind, message });
    return away.has(address) ? Promise.reject(refused) : Promise.resolve({ response: "200 OK" });
  };
  const bench = await notifierHarness({
    ...options,
    sender,
    ...(channel !== undefined && { channel: channel(sender) }),
  });
  const pass = async (ms: number): Promise<void> => {
    const end = bench.clock.monotonic() + ms;
    await bench.until("time passes", () => bench.clock.monotonic() >= end, 250);
  };
  return {
    ...bench,
    attempts,
    away,
    pass,
    async allGoDown(everyMs = 0) {
      for (const check of bench.checks) {
        await bench.flip(undefined, "failing", check);
        if (everyMs > 0) await pass(everyMs);
      }
    },
    async returnedWithin() {
      away.clear();
      const returnedAt = bench.clock.monotonic();
      await bench.until(
        "all are delivered",
        async () => (await bench.ends()).every((end) => end === "first delivered"),
        250,
      );
      return bench.clock.monotonic() - returnedAt;
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

/** The longest time between two attempts within a span. */
export function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}
