import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../kit/clock.ts";
import type { Unheard } from "../kit/http/unheard.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { Hearing } from "../store/hearing.ts";
import type { Shards } from "../store/shards.ts";
import type { Store } from "../store/store.ts";
import type { Heartbeats } from "../heartbeats/heartbeats.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";
import type { SilenceGuard } from "./silence-guard.ts";

export interface WatchDeps {
  readonly store: Pick<Store, "checks" | "startedRuns" | "write">;
  readonly bus: Pick<Bus, "changes">;
  /** Those whose checks are watched; all where nobody shares the checks. */
  readonly shards?: Shards;
  readonly heartbeats: Heartbeats;
  readonly hearing: Pick<Hearing, "lastEnd" | "lostSince" | "knownAfterMs" | "lastSeen">;
  readonly unheard: Pick<Unheard, "lastEnd" | "waitsSince">;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface Watching extends WatchDeps {
  /** When the watch began: what was sent before that may not have been received. */
  readonly since: number;
  /** False once the check was changed, or its shard lost. */
  readonly isWatched: (active: ActiveCheck) => boolean;
  readonly guard: SilenceGuard;
  readonly watchedCount: () => number;
}

export interface Watch {
  readonly active: ActiveCheck;
  readonly watching: Watching;
}

/** Of that time the event loop has to be free for half at least, so that heartbeats that have come are read before their absence is judged. */
const QUIET_MS = 1000;
/** A loop that is never free for so long reads them all the same. */
const QUIET_WITHIN_MS = 10_000;

/** When to judge the absence of what had to come from that address by `dueAt`; undefined for now. All times are of the monotonic clock. */
export function waitBeforeJudging(
  { clock, hearing, eventLoop, unheard }: Watching,
  { dueAt, peer }: { readonly dueAt: number; readonly peer: string | undefined },
): number | undefined {
  const now = clock.monotonic();
  const judgedAt = dueAt + hearing.knownAfterMs;
  if (judgedAt > now) return judgedAt;
  const isQuiet = eventLoop.stalledSince(now - QUIET_MS) < QUIET_MS / 2;
  if (!isQuiet && now < judgedAt + QUIET_WITHIN_MS) return now + QUIET_MS;
  // What waits may be the heartbeat.
  const waits = peer !== undefined && (unheard.waitsSince(peer) ?? Infinity) <= dueAt;
  return waits ? now + QUIET_MS : undefined;
}
