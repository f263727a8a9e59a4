import type { Egress } from "../../kit/net/egress.ts";
import type { EventLoopMonitor } from "../../kit/time/event-loop-monitor.ts";
import type { Unheard } from "../../kit/http/unheard.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Tracer } from "../../kit/tracing/tracer.ts";
import type { OwnListener } from "../../kit/net/own-listener.ts";
import type { FollowingClock } from "../../kit/time/steady-clock.ts";
import type { Heartbeats } from "../../heartbeats/heartbeats.ts";
import type { Hearing } from "../../store/hearing.ts";
import type { Shards } from "../../store/shards.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../../settings/config.ts";
import type { Delivery } from "../delivery.ts";
import type { Health } from "../health/health-routes.ts";
import type { ServiceBus } from "../nats/service-bus.ts";

/** What every role of a process shares. */
export interface RoleDeps {
  readonly config: Config;
  readonly store: Store;
  /** What the controller of checks writes about them: it fails once another controls them. */
  readonly controllerStore: Store;
  /** Those whose checks this process controls. */
  readonly shards: Shards;
  /** Why this process controls no checks; undefined while it may. */
  readonly leaseTrouble: () => string | undefined;
  /** Whether all who receive heartbeats could hear. */
  readonly hearing: Hearing;
  readonly bus: ServiceBus;
  readonly egress: Egress;
  /** What messages are sent by. */
  readonly alertEgress: Egress;
  readonly listener: OwnListener;
  readonly delivery: Delivery;
  readonly sealer: Sealer;
  readonly heartbeats: Heartbeats;
  readonly unheard: Unheard;
  readonly health: Health;
  /** Called when alerts may be due, in whichever process. */
  readonly flipped: () => void;
  readonly ids: Ids;
  readonly clock: FollowingClock;
  readonly interruptions: Interruptions;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly log: Log;
  readonly meter: Meter;
  /** Where traces are wanted. */
  readonly tracer?: Tracer | undefined;
  /** Aborts when the process is to stop. */
  readonly stopping: AbortSignal;
}

/** One part of the installation that can run in a process of its own. */
export interface Role {
  /** Works until `stopping` aborts, and resolves when its work is finished. */
  readonly run: () => Promise<void>;
  /** Why its work does not go on; undefined while it does. */
  readonly trouble: () => string | undefined;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
