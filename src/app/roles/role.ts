import type { Bus } from "../../bus/bus.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { EventLoopMonitor } from "../../kit/time/event-loop-monitor.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { FollowingClock } from "../../kit/time/steady-clock.ts";
import type { Shards } from "../../store/shards.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../config.ts";

/** What every role of a process shares. */
export interface RoleDeps {
  readonly config: Config;
  readonly store: Store;
  /** What the controller of checks writes about them: it fails once another controls them. */
  readonly controllerStore: Store;
  /** Those whose checks this process controls. */
  readonly shards: Shards;
  readonly bus: Bus;
  readonly egress: Egress;
  readonly ids: Ids;
  readonly clock: FollowingClock;
  readonly interruptions: Interruptions;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly log: Log;
  readonly meter: Meter;
  /** Aborts when the process is to stop. */
  readonly stopping: AbortSignal;
}

/** One part of the installation that can run in a process of its own. */
export interface Role {
  /** Works until `stopping` aborts, and resolves when its work is finished. */
  readonly run: () => Promise<void>;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
