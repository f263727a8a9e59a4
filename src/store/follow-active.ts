import type { ActiveCheck, CheckReads } from "./checks.ts";

export interface Followers {
  /** Whether the check is theirs to follow. */
  readonly wants: (active: ActiveCheck) => boolean;
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
  readonly checks: Pick<CheckReads, "active" | "activeNumbers" | "findActive">;
  readonly changes: { readonly subscribe: (receive: (change: Changed) => void) => void };
  readonly failed: (error: unknown) => void;
}

/** Tells of every active check and of every change to one, strictly in order, until the signal aborts. Resolves when the checks that were active are all told. */
export function followActive(
  { checks, changes, failed }: Source,
  followers: Followers,
  signal: AbortSignal,
): Promise<void> {
  const followed = new Map<number, string>();

  const tell = async (active: ActiveCheck, how: "resume" | "restart"): Promise<void> => {
    if (!followers.wants(active)) return;
    followed.set(active.check.no, active.check.accountId);
    await followers[how](active);
  };

  const stop = (checkNo: number): void => {
    if (followed.delete(checkNo)) followers.stop(checkNo);
  };

  const restart = async (checkNo: number): Promise<void> => {
    const active = await checks.findActive(checkNo);
    stop(checkNo);
    if (active !== undefined) await tell(active, "restart");
  };

  const follow = async ({ accountId, checkNo }: Changed): Promise<void> => {
    if (checkNo !== undefined) {
      await restart(checkNo);
      return;
    }
    const active = new Set(await checks.activeNumbers(accountId));
    for (const [known, owner] of followed) {
      if (owner === accountId && !active.has(known)) stop(known);
    }
    for (const no of active) {
      if (!followed.has(no)) await restart(no);
    }
  };

  const resumeAll = async (): Promise<void> => {
    for await (const page of checks.active()) {
      for (const active of page) {
        if (signal.aborted) return;
        await tell(active, "resume");
      }
    }
  };

  let turn = resumeAll().catch(failed);
  const resumed = turn;
  changes.subscribe((change) => {
    turn = turn.then(() => (signal.aborted ? undefined : follow(change))).catch(failed);
  });
  return resumed;
}
