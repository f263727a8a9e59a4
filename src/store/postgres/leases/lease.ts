import { SHARDS } from "../../../domain/shard.ts";
import type { Clock, Timer } from "../../../kit/clock.ts";
import { messageOf, Unavailable } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";
import { poll } from "../../../kit/poll.ts";
import type { Shards, ShardWatcher } from "../../shards.ts";
import { createBeatObserver } from "./beat-observer.ts";
import type { ControllerRow, ControllerRows } from "./controller-rows.ts";
import { Fenced, type Hold } from "./fenced.ts";

/** One lease of a process, under which it owns shards. */
export interface Lease extends Shards {
  readonly hold: Hold;
  /** Returns the reason why this process controls nothing; undefined while it has a lease, even with no shards. */
  readonly trouble: () => string | undefined;
  /** Releases everything immediately, for others to take. */
  readonly close: () => Promise<void>;
}

interface Deps {
  readonly rows: ControllerRows;
  /** Uses a separate connection, so that renewals wait for nothing else. */
  readonly renewals: Pick<ControllerRows, "register" | "renew">;
  readonly newId: () => string;
  /** Whether this process reaches the locations. */
  readonly busOk: () => boolean;
  /** Measured to the database; undefined before that. */
  readonly roundTripMs: () => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const RENEW_INTERVAL_MS = 1000;
/** After sending its last good renewal an owner stops, before others take over from it: later by these round trips, in which it can open a lost connection with TLS and renew. */
const HELD_MS = 3300;
const HELD_ROUND_TRIPS = 10;
/** The longest, so that the checks of a dead owner are run by others within half a minute. */
const MAX_HOLD_MS = 15_000;

export function createLease(deps: Deps): Lease {
  const { rows, clock, log } = deps;
  const owned = createOwnedShards();
  const observer = createBeatObserver(clock);
  const closing = new AbortController();
  const held = createHeldRow(deps, owned);
  const units = createHeldUnits(deps, held);
  const takeOver = async (expired: readonly ControllerRow[]): Promise<void> => {
    for (const controller of expired) {
      if (!(await rows.takeOver(controller))) continue;
      log.warn("store.lease_taken_over", { controller: controller.id });
    }
  };
  const read = async () => {
    try {
      return await rows.list();
    } catch (error) {
      observer.failed();
      throw error;
    }
  };
  const balance = async (): Promise<number> => {
    const id = held.id();
    if (id === undefined) {
      observer.failed();
      return RENEW_INTERVAL_MS;
    }
    const { controllers, shards } = await read();
    const expired = observer.read(controllers.filter((controller) => controller.id !== id));
    await takeOver(expired);
    if (held.id() !== id) return RENEW_INTERVAL_MS;
    const mine = shards.filter(({ owner }) => owner === id).map(({ shard }) => shard);
    const share = shareOf(
      id,
      controllers.filter((controller) => !expired.includes(controller)),
    );
    owned.set(mine.slice(0, share));
    if (mine.length > share) {
      await units.settled();
      await rows.free(id, mine.slice(share));
    }
    const isFree = expired.length > 0 || shards.some(({ owner }) => owner === null);
    if (mine.length >= share || !isFree) return RENEW_INTERVAL_MS;
    await rows.claim(id, share - mine.length);
    return CLAIMED_READ_AFTER_MS;
  };
  const trouble = (error: unknown): void =>
    log.error("store.lease_trouble", { error: messageOf(error) });
  const polling = { clock, signal: closing.signal, onError: trouble };
  const loops = Promise.all([
    poll({ ...polling, round: held.renew, errorDelayMs: RENEW_INTERVAL_MS }),
    poll({ ...polling, round: balance, errorDelayMs: RENEW_INTERVAL_MS }),
  ]);

  return {
    owns: (shard) => held.id() !== undefined && owned.has(shard),
    owned: () => (held.id() === undefined ? [] : owned.all()),
    subscribe: owned.subscribe,
    hold: units.hold,
    trouble: () =>
      held.id() === undefined ? "this process has no lease to control checks" : undefined,
    async close() {
      closing.abort();
      await loops;
      owned.set([]);
      await units.settled();
      const id = held.id();
      held.end();
      // Shards that cannot be released are taken over later.
      if (id !== undefined) await rows.remove(id).catch(trouble);
    },
  };
}

/** Soon enough, and no busy loop where others took what was free. */
const CLAIMED_READ_AFTER_MS = 50;

interface HeldUnits {
  readonly hold: Hold;
  /** Resolves once those in progress have ended. */
  readonly settled: () => Promise<unknown>;
}

function createHeldUnits({ meter }: Pick<Deps, "meter">, held: HeldRow): HeldUnits {
  const inFlight = new Set<Promise<unknown>>();
  return {
    hold(unit) {
      const id = held.id();
      if (id === undefined)
        return Promise.reject(new Unavailable("this process controls no check now"));
      const work = unit(id).catch((error: unknown) => {
        if (error instanceof Fenced) {
          meter.count("store.unit_fenced");
          held.lost(id);
        }
        throw error;
      });
      inFlight.add(work);
      void work.catch(() => {}).then(() => inFlight.delete(work));
      return work;
    },
    settled: () => Promise.allSettled(inFlight),
  };
}

interface HeldRow {
  /** ID of the row that this process holds; undefined if another process may own it by now. */
  readonly id: () => string | undefined;
  readonly renew: () => Promise<number>;
  /** The row is gone: all that is known of the checks is dropped, and a new one begins. */
  readonly lost: (id: string) => void;
  readonly end: () => void;
}

function createHeldRow(
  { renewals, newId, busOk, roundTripMs, clock, log }: Deps,
  owned: Pick<OwnedShards, "set">,
): HeldRow {
  let id: string | undefined;
  let goodUntil = -Infinity;
  let timer: Timer | undefined;

  const holdUntil = (until: number): void => {
    timer?.cancel();
    goodUntil = until;
    timer = clock.setTimer(() => {
      log.warn("store.lease_not_renewed");
      owned.set([]);
    }, goodUntil - clock.monotonic());
  };
  const end = (): void => {
    timer?.cancel();
    id = undefined;
    owned.set([]);
  };
  const lost = (gone: string): void => {
    if (id !== gone) return;
    log.warn("store.lease_lost", { controller: gone });
    end();
  };

  return {
    id: () => (clock.monotonic() < goodUntil ? id : undefined),
    async renew() {
      const heldMs = Math.ceil(
        Math.min(HELD_MS + HELD_ROUND_TRIPS * (roundTripMs() ?? 0), MAX_HOLD_MS),
      );
      const until = clock.monotonic() + heldMs;
      const renewal = { busOk: busOk(), heldMs };
      const held = id;
      if (held === undefined) {
        const fresh = newId();
        await renewals.register({ ...renewal, id: fresh });
        id = fresh;
      } else {
        // Others go by a shorter lease as soon as it is stored, which this process may not learn.
        if (until < goodUntil) holdUntil(until);
        if (!(await renewals.renew({ ...renewal, id: held }))) {
          lost(held);
          return 0;
        }
      }
      holdUntil(until);
      return RENEW_INTERVAL_MS;
    },
    lost,
    end,
  };
}

interface OwnedShards extends Pick<Shards, "subscribe"> {
  readonly has: (shard: number) => boolean;
  readonly all: () => readonly number[];
  readonly set: (shards: readonly number[]) => void;
}

/** Reports each change: what is lost first. */
function createOwnedShards(): OwnedShards {
  const watchers: ShardWatcher[] = [];
  let owned: ReadonlySet<number> = new Set();
  return {
    has: (shard) => owned.has(shard),
    all: () => [...owned],
    set(shards) {
      const [before, now] = [owned, new Set(shards)];
      owned = now;
      const lost = [...before.difference(now)];
      const gained = [...now.difference(before)];
      for (const watcher of watchers) {
        if (lost.length > 0) watcher.lost(lost);
        if (gained.length > 0) watcher.gained(gained);
      }
    },
    subscribe: (watcher) => void watchers.push(watcher),
  };
}

/** Returns the number of shards a controller should own: equal shares among controllers that reach the locations, or among all if none does. */
function shareOf(id: string, controllers: readonly ControllerRow[]): number {
  const able = controllers.some(({ bus_ok }) => bus_ok)
    ? controllers.filter(({ bus_ok }) => bus_ok)
    : controllers;
  const rank = able
    .map((controller) => controller.id)
    .toSorted()
    .indexOf(id);
  if (rank === -1) return 0;
  return Math.floor(SHARDS / able.length) + (rank < SHARDS % able.length ? 1 : 0);
}
