import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../kit/clock.ts";
import type { ReceiveGaps } from "../kit/http/receive-gaps.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { HeartbeatReception } from "../store/heartbeat-reception.ts";
import type { Shards } from "../store/shards.ts";
import type { Store } from "../store/store.ts";
import type { Heartbeats } from "../heartbeats/heartbeats.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";
import type { MissingHeartbeatsGuard } from "./missing-heartbeats-guard.ts";

export interface WatchDeps {
  readonly store: Pick<Store, "checks" | "startedRuns" | "write">;
  readonly bus: Pick<Bus, "changes">;
  /** Shards of the checks to watch; all if checks are not shared. */
  readonly shards?: Shards;
  readonly heartbeats: Heartbeats;
  readonly reception: Pick<
    HeartbeatReception,
    "lastEnd" | "lostSince" | "knownAfterMs" | "lastSeen"
  >;
  readonly receiveGaps: Pick<ReceiveGaps, "lastEnd" | "waitsSince">;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface Watching extends WatchDeps {
  /** Start of the watch: earlier heartbeats may have been missed. */
  readonly since: number;
  /** False once the check was changed, or its shard lost. */
  readonly isWatched: (active: ActiveCheck) => boolean;
  readonly guard: MissingHeartbeatsGuard;
  readonly watchedCount: () => number;
}

export interface Watch {
  readonly active: ActiveCheck;
  readonly watching: Watching;
}

/** Time of which the event loop must be idle for at least half, so that received heartbeats are read before their absence is judged. */
const QUIET_MS = 1000;
/** After this time, a continuously busy event loop has read them anyway. */
const QUIET_WITHIN_MS = 10_000;

/** Returns the time at which to judge a heartbeat missing that an address had to send by `dueAt`; undefined for now. All times are monotonic. */
export function waitBeforeJudging(
  { clock, reception, eventLoop, receiveGaps }: Watching,
  { dueAt, peer }: { readonly dueAt: number; readonly peer: string | undefined },
): number | undefined {
  const now = clock.monotonic();
  const judgedAt = dueAt + reception.knownAfterMs;
  if (judgedAt > now) return judgedAt;
  const isQuiet = eventLoop.stalledSince(now - QUIET_MS) < QUIET_MS / 2;
  if (!isQuiet && now < judgedAt + QUIET_WITHIN_MS) return now + QUIET_MS;
  // The waiting connection may carry the heartbeat.
  const waits = peer !== undefined && (receiveGaps.waitsSince(peer) ?? Infinity) <= dueAt;
  return waits ? now + QUIET_MS : undefined;
}
