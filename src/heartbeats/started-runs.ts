import type { Store } from "../store/store.ts";
import type { HeartbeatState } from "./heartbeat-states.ts";

interface Deps {
  readonly store: Pick<Store, "startedRuns" | "write">;
  /** Whether other processes are notified of runs of the same checks. */
  readonly sharesChecks: boolean;
}

/** Stores that a run has begun. */
export async function beginRun(
  { store }: Pick<Deps, "store">,
  { tracked, prepared, received }: HeartbeatState,
  { runId, at }: { readonly runId: string; readonly at: number },
): Promise<void> {
  const { no: checkNo } = tracked.check;
  const { maxRunMs } = prepared.plan;
  const dueAt = maxRunMs === undefined ? undefined : at + maxRunMs;
  received.mayHaveRuns = true;
  received.endedRuns.delete(runId);
  await store.write(
    ({ startedRuns }) => startedRuns.begin({ checkNo, runId, startedAt: at, dueAt }),
    {
      checks: [checkNo],
    },
  );
}

/** Stores the end of a run and returns its start; undefined if no start was received. */
export async function endRun(
  { store, sharesChecks }: Deps,
  { tracked, received }: HeartbeatState,
  { runId }: { readonly runId: string },
): Promise<number | undefined> {
  // Its result could not be stored at once.
  const ended = received.endedRuns.get(runId);
  if (!sharesChecks && !received.mayHaveRuns) return ended;
  const { no: checkNo } = tracked.check;
  const key = { checkNo, runId };
  if ((await store.startedRuns.find(key)) === undefined) return ended;
  const startedAt = await store.write(({ startedRuns }) => startedRuns.end(key), {
    checks: [checkNo],
  });
  if (startedAt !== undefined) received.endedRuns.set(runId, startedAt);
  return startedAt ?? ended;
}
