import { failed } from "../domain/run/outcome.ts";
import { monotonicTimeOf } from "../kit/clock.ts";
import type { HeartbeatState } from "../heartbeats/heartbeat-states.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";
import type { StartedRun } from "../store/tables/started-runs.ts";
import { waitBeforeJudging, type Watch, type Watching } from "./watching.ts";

const MINUTE_MS = 60_000;

/** Fails checks with a started run that did not end in time. */
export async function failOverdueRuns(
  watching: Watching,
  watched: ReadonlyMap<number, ActiveCheck>,
): Promise<void> {
  const { store, clock } = watching;
  for (let skipped = 0; ;) {
    const page = await store.startedRuns.listDue(clock.now(), skipped);
    if (page.length === 0) return;
    for (const run of page) {
      const active = watched.get(run.checkNo);
      const isOver = active !== undefined && (await judgeRun(run, { active, watching }));
      if (!isOver) skipped += 1;
    }
  }
}

/** Returns the deadline of the check's started runs; undefined if there are none. On the monotonic clock. */
export async function runsEndBy(
  runs: Pick<Watching["store"]["startedRuns"], "list">,
  { prepared }: HeartbeatState,
  { active, watching: { clock } }: Watch,
): Promise<number | undefined> {
  const { waitsForRuns, maxRunMs } = prepared.plan;
  if (!waitsForRuns || maxRunMs === undefined) return undefined;
  const newest = (await runs.list(active.check.no)).at(-1);
  return newest && monotonicTimeOf(clock, newest.startedAt) + maxRunMs;
}

/** True if it needs no further inspection. */
async function judgeRun(run: StartedRun, watch: Watch): Promise<boolean> {
  const { active, watching } = watch;
  const { store, heartbeats, log, meter } = watching;
  const { id } = active.check;
  const state = await heartbeats.findAnew(id);
  if (state === undefined) return false;
  const postpone = async (dueAt?: number): Promise<boolean> => {
    const { checkNo: no } = run;
    await store.write(({ startedRuns }) => startedRuns.postpone(run, dueAt), { checks: [no] });
    return true;
  };
  const { maxRunMs } = state.prepared.plan;
  if (maxRunMs === undefined || state.tracked.state === "failing") return postpone();
  // It may take longer since the check was changed.
  const dueAt = run.startedAt + maxRunMs;
  if (dueAt > (run.dueAt ?? dueAt)) return postpone(dueAt);
  const overdueAt = overdueAtOf(run, state, { ...watch, maxRunMs });
  const { peer } = state.received;
  if (waitBeforeJudging(watching, { dueAt: overdueAt, peer }) !== undefined) return false;
  const began = new Date(run.startedAt).toISOString();
  const minutes = maxRunMs / MINUTE_MS;
  const outcome = failed(
    "timeout",
    "Run takes too long",
    `The run that began at ${began} has not ended within ${minutes} minutes`,
  );
  const hasFailed = await heartbeats.failStale(state, outcome, async (tx) => {
    if (!watching.isWatched(active)) return false;
    return (await tx.startedRuns.find(run))?.startedAt === run.startedAt;
  });
  if (!hasFailed) return false;
  meter.count("push.run_overdue");
  log.info("push.run_overdue", { check: id, began });
  return postpone();
}

/** Time in which its end could not be received does not count; where that was several times, it has as long once more, and no longer. */
function overdueAtOf(
  { startedAt }: StartedRun,
  { received: { peer } }: HeartbeatState,
  { active, watching, maxRunMs }: Watch & { readonly maxRunMs: number },
): number {
  const { clock, reception, receiveGaps, since } = watching;
  const from = Math.max(
    ...[startedAt, active.activeSince].map((at) => monotonicTimeOf(clock, at)),
    peer === undefined ? -Infinity : receiveGaps.lastEnd(peer),
  );
  return Math.min(
    Math.max(from, since, reception.lastEnd()) + maxRunMs,
    from + 2 * maxRunMs + reception.lostSince(from),
  );
}
