import type { Egress } from "../../kit/net/egress.ts";
import type { EventLoopMonitor } from "../../kit/time/event-loop-monitor.ts";
import type { ReceiveGaps } from "../../kit/http/receive-gaps.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Tracer } from "../../kit/tracing/tracer.ts";
import type { OwnListener } from "../../kit/net/own-listener.ts";
import type { FollowingClock } from "../../kit/time/steady-clock.ts";
import type { Heartbeats } from "../../heartbeats/heartbeats.ts";
import type { HeartbeatReception } from "../../store/heartbeat-reception.ts";
import type { Shards } from "../../store/shards.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../../settings/config.ts";
import type { DeliveryServices } from "../delivery.ts";
import type { Health } from "../health/health-routes.ts";
import type { ServiceBus } from "../nats/service-bus.ts";

/** Dependencies shared by all roles of a process. */
export interface RoleDeps {
  readonly config: Config;
  readonly store: Store;
  /** Store with the writes of the controller of checks, which fail once another process controls them. */
  readonly controllerStore: Store;
  /** Shards of the checks that this process controls. */
  readonly shards: Shards;
  /** Returns the reason why this process controls no checks; undefined while it may. */
  readonly leaseTrouble: () => string | undefined;
  /** Whether all receivers could receive heartbeats. */
  readonly reception: HeartbeatReception;
  readonly bus: ServiceBus;
  readonly egress: Egress;
  /** Egress for messages. */
  readonly alertEgress: Egress;
  readonly listener: OwnListener;
  readonly delivery: DeliveryServices;
  readonly sealer: Sealer;
  readonly heartbeats: Heartbeats;
  readonly receiveGaps: ReceiveGaps;
  readonly health: Health;
  /** Called when alerts may be due, in any process. */
  readonly flipped: () => void;
  readonly ids: Ids;
  readonly clock: FollowingClock;
  readonly interruptions: Interruptions;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly log: Log;
  readonly meter: Meter;
  /** Set if tracing is on. */
  readonly tracer?: Tracer | undefined;
  /** Aborts when the process is to stop. */
  readonly stopping: AbortSignal;
}

/** Part of the installation that can run in a separate process. */
export interface Role {
  /** Works until `stopping` aborts, and resolves when its work is finished. */
  readonly run: () => Promise<void>;
  /** Reason why its work has stopped; undefined while it runs. */
  readonly trouble: () => string | undefined;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
