import { setImmediate } from "node:timers/promises";

import type { Invalidation } from "../domain/change.ts";
import { type Clock, sleep } from "../kit/clock.ts";
import { shardOf } from "../domain/shard.ts";
import { allShards, type Shards } from "../store/shards.ts";
import type { Reads } from "../store/store.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";

export interface Watcher {
  /** Limits the types, because reading other checks costs as much. */
  readonly types?: readonly string[];
  /** Whether this watcher wants the check. */
  readonly accepts: (active: ActiveCheck) => boolean;
  /** A check that was already active when the watch, or the control of its shard, began. */
  readonly resume: (active: ActiveCheck) => Promise<void> | void;
  /** A check that was created, enabled or changed. */
  readonly restart: (active: ActiveCheck) => Promise<void> | void;
  /** A check that was changed, disabled or removed, or whose shard was lost; where it is still active a restart follows. */
  readonly stop: (checkNo: number) => void;
  /** Called if the check should run now. */
  readonly runNow?: (checkNo: number) => void;
  /** Called when reading active checks starts, and when all of them were resumed. */
  readonly reading?: (isReading: boolean) => void;
}

interface Source {
  readonly checks: Pick<Reads["checks"], "listActive" | "findActive">;
  readonly changes: { readonly subscribe: (receive: (change: Invalidation) => void) => void };
  /** Shards of the watched checks; all if checks are not shared. */
  readonly shards?: Shards | undefined;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** Number of resumed checks after which the event loop can do other work. */
const RESUMED_PER_TURN = 50;

/**
 * Calls the watcher for every active check of the shards that are owned and for every change to one, strictly in order, until the signal aborts. What cannot
 * be read, or what the watcher rejects, is tried again: a change that were lost would be a check that never runs. Resolves when
 * the checks that were active are all resumed.
 */
export function watchActiveChecks(
  { checks, changes, shards = allShards, clock, failed }: Source,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  const seen = createSeenChecks(watcher, shards, signal);
  const queue = createRetryingQueue({ clock, failed, signal });

  const syncCheck = async (checkNo: number): Promise<void> => {
    const active = await checks.findActive(checkNo, watcher.types);
    if (active === undefined) seen.stop(checkNo);
    else await seen.restart(active);
  };

  /** All checks of an account, or of the shards that are owned. */
  const syncAll = async (accountId?: string): Promise<void> => {
    const scope = accountId === undefined ? { shards: shards.owned() } : { accountId };
    const stillActive = new Set<number>();
    for await (const page of checks.listActive({ ...scope, types: watcher.types })) {
      for (const active of page) {
        stillActive.add(active.check.no);
        await seen.restart(active);
      }
    }
    for (const checkNo of accountId === undefined ? seen.all() : seen.ofAccount(accountId))
      if (!stillActive.has(checkNo)) seen.stop(checkNo);
  };
  const sync = (change: Invalidation): Promise<void> => {
    if (change === "everything") return syncAll();
    const { accountId, checkNo, isRun } = change;
    if (isRun && checkNo !== undefined) return Promise.resolve(watcher.runNow?.(checkNo));
    return checkNo === undefined ? syncAll(accountId) : syncCheck(checkNo);
  };

  const resumeShards = async (gained: readonly number[]): Promise<void> => {
    let count = 0;
    const owned = gained.filter(shards.owns);
    if (owned.length === 0) return;
    watcher.reading?.(true);
    for await (const page of checks.listActive({ types: watcher.types, shards: owned })) {
      for (const active of page) {
        const { no } = active.check;
        if (seen.has(no)) continue;
        await seen.call("resume", active).catch((error: unknown) => {
          failed(error);
          void queue.addLater(() => syncCheck(no));
        });
        count += 1;
        if (count % RESUMED_PER_TURN === 0) await setImmediate();
      }
    }
    watcher.reading?.(false);
  };

  const resumed = queue.add(() => resumeShards(shards.owned()));
  shards.subscribe({
    gained: (gained) => void queue.add(() => resumeShards(gained)),
    lost(lost) {
      for (const checkNo of seen.ofShards(lost)) seen.stop(checkNo);
    },
  });
  changes.subscribe((change) => void queue.add(() => sync(change)));
  return resumed;
}

/** The checks that the watcher was called for, each with the configuration it got. */
interface SeenChecks {
  readonly has: (checkNo: number) => boolean;
  readonly all: () => readonly number[];
  readonly ofAccount: (accountId: string) => readonly number[];
  readonly ofShards: (shards: readonly number[]) => readonly number[];
  readonly call: (how: "resume" | "restart", active: ActiveCheck) => Promise<void>;
  /** Restarts a check that differs from what the watcher got: a change may be received twice, and a check be off and on again in between. */
  readonly restart: (active: ActiveCheck) => Promise<void>;
  readonly stop: (checkNo: number) => void;
}

function createSeenChecks(watcher: Watcher, shards: Shards, signal: AbortSignal): SeenChecks {
  const seen = new Map<number, ActiveCheck>();

  const call: SeenChecks["call"] = async (how, active) => {
    const { no, id } = active.check;
    const shard = shardOf(id);
    if (signal.aborted || !shards.owns(shard) || !watcher.accepts(active)) return;
    await watcher[how](active);
    if (shards.owns(shard)) seen.set(no, active);
    else watcher.stop(no);
  };
  const stop = (checkNo: number): void => {
    if (seen.delete(checkNo)) watcher.stop(checkNo);
  };

  return {
    has: (checkNo) => seen.has(checkNo),
    all: () => [...seen.keys()],
    ofAccount: (accountId) =>
      [...seen].filter(([, { check }]) => check.accountId === accountId).map(([no]) => no),
    ofShards(lost) {
      const among = new Set(lost);
      return [...seen].filter(([, { check }]) => among.has(shardOf(check.id))).map(([no]) => no);
    },
    call,
    async restart(active) {
      const { no } = active.check;
      const known = seen.get(no);
      if (known !== undefined && fingerprint(known) === fingerprint(active)) return;
      stop(no);
      await call("restart", active);
    },
    stop,
  };
}

/**
 * Returns everything that determines how and when a check runs. Labels, tags, recipients, and mutes are excluded: their changes neither end nor start a run.
 */
function fingerprint({ check, activeSince, regions, recheckWait }: ActiveCheck): string {
  return JSON.stringify([check.runRevision, activeSince, regions, recheckWait]);
}

interface Deps {
  readonly clock: Clock;
  /** Called with each error of a task. */
  readonly failed: (error: unknown) => void;
  /** Ends the queue: nothing begins any more. */
  readonly signal: AbortSignal;
}

/** Runs tasks in sequence. A failed task is moved to the end after a delay, so that it does not block others. */
interface RetryingQueue {
  /** Resolves once the task succeeded, or the queue ended. */
  readonly add: (task: () => Promise<void>) => Promise<void>;
  /** Adds the task after the time between two tries. */
  readonly addLater: (task: () => Promise<void>) => Promise<void>;
}

const RETRY_AFTER_MS = 10_000;

function createRetryingQueue({ clock, failed, signal }: Deps): RetryingQueue {
  let last = Promise.resolve();

  const addLater = (task: () => Promise<void>): Promise<void> =>
    sleep(clock, RETRY_AFTER_MS, signal).then(() => add(task));

  const add = (task: () => Promise<void>): Promise<void> => {
    let retry: Promise<void> | undefined;
    last = last.then(async () => {
      if (signal.aborted) return;
      try {
        await task();
      } catch (error) {
        failed(error);
        retry = addLater(task);
      }
    });
    return last.then(() => retry);
  };

  return { add, addLater };
}
