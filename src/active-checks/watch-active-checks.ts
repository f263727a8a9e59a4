import { setImmediate } from "node:timers/promises";

import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import type { ActiveCheck, CheckReads } from "../store/checks.ts";

export interface Watcher {
  /** Whether the check is theirs to follow. */
  readonly accepts: (active: ActiveCheck) => boolean;
  /** A check that was already active when following began. */
  readonly resume: (active: ActiveCheck) => Promise<void> | void;
  /** A check that was made, enabled or changed. */
  readonly restart: (active: ActiveCheck) => Promise<void> | void;
  /** A check that was changed, disabled or removed; where it is still active a restart follows. */
  readonly stop: (checkNo: number) => void;
}

interface Changed {
  readonly accountId: string;
  readonly checkNo: number | undefined;
}

interface Source {
  readonly checks: Pick<CheckReads, "listActive" | "findActive">;
  readonly changes: { readonly subscribe: (receive: (change: Changed) => void) => void };
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** As what a check was told. */
interface Told {
  readonly accountId: string;
  readonly face: string;
}

/** After so many the loop turns, for whatever else is to be done meanwhile. */
const TOLD_AT_ONCE = 50;
const AGAIN_AFTER_MS = 10_000;

/**
 * Tells of every active check and of every change to one, strictly in order, until the signal aborts. What cannot be read or
 * told is tried again, for a change that were lost would be a check that never runs. Resolves when the checks that were
 * active are all told.
 */
export function watchActiveChecks(
  { checks, changes, clock, failed }: Source,
  followers: Watcher,
  signal: AbortSignal,
): Promise<void> {
  const followed = new Map<number, Told>();
  let turn = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    let again: Promise<void> | undefined;
    turn = turn.then(async () => {
      if (signal.aborted) return;
      try {
        await work();
      } catch (error) {
        failed(error);
        again = sleep(clock, AGAIN_AFTER_MS, signal).then(() => inTurn(work));
      }
    });
    return turn.then(() => again);
  };

  const tell = async (active: ActiveCheck, how: "resume" | "restart"): Promise<void> => {
    const { no, accountId } = active.check;
    if (signal.aborted || !followers.accepts(active)) return;
    await followers[how](active);
    followed.set(no, { accountId, face: faceOf(active) });
  };

  const stop = (checkNo: number): void => {
    if (followed.delete(checkNo)) followers.stop(checkNo);
  };

  /** A change may be heard of twice, and a check be off and on again in between: what counts is how it reads now. */
  const restart = async (active: ActiveCheck): Promise<void> => {
    const { no } = active.check;
    if (followed.get(no)?.face === faceOf(active)) return;
    stop(no);
    await tell(active, "restart");
  };

  const follow = async (checkNo: number): Promise<void> => {
    const active = await checks.findActive(checkNo);
    if (active === undefined) stop(checkNo);
    else await restart(active);
  };

  const followAccount = async (accountId: string): Promise<void> => {
    const seen = new Set<number>();
    for await (const page of checks.listActive(accountId)) {
      for (const active of page) {
        seen.add(active.check.no);
        await restart(active);
      }
    }
    for (const [no, told] of followed) if (told.accountId === accountId && !seen.has(no)) stop(no);
  };

  const resumeAll = async (): Promise<void> => {
    let count = 0;
    for await (const page of checks.listActive()) {
      for (const active of page) {
        const { no } = active.check;
        if (followed.has(no)) continue;
        await tell(active, "resume").catch((error: unknown) => {
          // One that cannot be told keeps nobody behind it waiting.
          failed(error);
          void sleep(clock, AGAIN_AFTER_MS, signal).then(() => inTurn(() => follow(no)));
        });
        count += 1;
        if (count % TOLD_AT_ONCE === 0) await setImmediate();
      }
    }
  };

  const resumed = inTurn(resumeAll);
  changes.subscribe(({ accountId, checkNo }) => {
    void inTurn(() => (checkNo === undefined ? followAccount(accountId) : follow(checkNo)));
  });
  return resumed;
}

/** All that decides how and when a check runs. */
function faceOf({ check, activeSince, regions }: ActiveCheck): string {
  return JSON.stringify([check.revision, activeSince, regions]);
}
