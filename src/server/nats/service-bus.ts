import type { Bus } from "../../bus/bus.ts";
import { joinBuses } from "../../bus/joined-bus.ts";
import { createLocationSealers } from "../../bus/location-key.ts";
import { createMemoryBus } from "../../bus/memory-bus.ts";
import { createNatsBus } from "../../bus/nats/nats-bus.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../../settings/config.ts";
import { createLocationMemory, type LocationMemory } from "./location-memory.ts";
import { natsAccessOf } from "./nats-access.ts";

interface Deps {
  readonly store: Pick<Store, "locations" | "write">;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** The bus of the service. */
export interface ServiceBus extends Bus {
  /** Undefined if no broker is configured. */
  readonly isConnected: (() => boolean) | undefined;
  /** Undefined if no broker is configured. */
  readonly memory: Pick<LocationMemory, "forgot" | "run"> | undefined;
}

/** The bus of this process, with that to other machines where there is a broker. Resolves when their probes are known. */
export async function createServiceBus(config: Config, deps: Deps): Promise<ServiceBus> {
  const local = createMemoryBus(deps);
  const access = natsAccessOf(config);
  if (access === undefined) return { ...local, isConnected: undefined, memory: undefined };
  const sealerOf = createLocationSealers(deps.sealer);
  const remote = createNatsBus({ ...deps, access, sealerOf });
  const { presence: heard, expect } = remote;
  const memory = createLocationMemory({ ...deps, presence: heard, expect });
  await memory.look();
  await remote.settled();
  const presence = { ...heard, gone: memory.gone };
  return { ...joinBuses(local, { ...remote, presence }), isConnected: remote.isConnected, memory };
}
