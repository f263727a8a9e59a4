import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/clock.ts";
import type { OwnPort } from "../../kit/net/own-listener.ts";
import { createFindLocalNetworkProblem } from "../../kit/net/local-network.ts";
import { partOf } from "../../probe/address-slots.ts";
import { createConnectivityProbe } from "../../probe/connectivity-probe.ts";
import { createLocationHealth, type LocationHealth } from "../../probe/location-health.ts";
import { createProbeThreads, probeWorker } from "../../probe/probe-threads.ts";
import { createTargetMemory, targetBytesOf } from "../../probe/target-memory.ts";
import { untilAborted, type Role, type RoleDeps } from "./role.ts";
import { hostLimitsIn } from "./host-limits.ts";

interface Deps extends Pick<
  RoleDeps,
  "config" | "egress" | "eventLoop" | "log" | "meter" | "stopping"
> {
  readonly bus: Pick<Bus, "serve">;
  readonly clock: Clock;
  readonly ownPort: OwnPort;
}

export interface ProbeRole extends Role {
  /** Number of threads that can run checks now; 0 if the main thread does. */
  readonly readyThreads: () => number;
  /** Whether its locations are able to judge their targets. */
  readonly health: LocationHealth;
  /** Ends remaining work, once nothing waits for it. */
  readonly close: () => Promise<void>;
}

/** Runs the checks and the diagnostics of every location of this process, in threads or in the main thread. */
export async function createProbeRole(deps: Deps): Promise<ProbeRole> {
  const health = healthOf(deps);
  return deps.config.WATCHPOST_PROBE_THREADS === 0
    ? inMainThread(deps, health)
    : inThreads(deps, health);
}

function healthOf({ config, egress, clock, log }: Deps): LocationHealth {
  const connectivity = createConnectivityProbe(config.WATCHPOST_CONNECTIVITY_PROBES, {
    egress,
    clock,
  });
  const findLocalNetworkProblem = createFindLocalNetworkProblem();
  return createLocationHealth({
    clock,
    log,
    async isOver(trouble) {
      if (trouble === "no_resolver") return (await egress.resolverWorks?.("silent")) ?? true;
      if (connectivity.isConfigured) return connectivity.isOnline();
      return (await findLocalNetworkProblem(undefined)) === undefined;
    },
  });
}

async function inMainThread(deps: Deps, health: LocationHealth): Promise<ProbeRole> {
  const { config, bus, stopping } = deps;
  // Each thread loads all types of checks, which takes 20 MB.
  const { createLocationHandlers } = await import("../../probe/location-handlers.ts");
  const { locations } = config;
  const connectivityAddresses = config.WATCHPOST_CONNECTIVITY_PROBES;
  const handlers = createLocationHandlers({
    ...deps,
    locations,
    connectivityAddresses,
    addressLimits: hostLimitsIn(config),
    memory: createTargetMemory(deps.clock),
  });
  for (const location of locations) {
    const handlersHere = handlers.get(location.code);
    if (handlersHere !== undefined) bus.serve(location, health.watched(location, handlersHere));
  }
  return {
    run: () => untilAborted(stopping),
    readyThreads: () => 0,
    health,
    trouble: () => undefined,
    close: () => Promise.resolve(),
  };
}

function inThreads(
  { config, bus, clock, log, meter, ownPort, stopping }: Deps,
  health: LocationHealth,
): ProbeRole {
  const threads = createProbeThreads({
    threads: config.WATCHPOST_PROBE_THREADS,
    module: probeWorker,
    options: {
      locations: config.locations,
      connectivityAddresses: config.WATCHPOST_CONNECTIVITY_PROBES,
      addressLimits: partOf(hostLimitsIn(config), config.WATCHPOST_PROBE_THREADS),
      targetBytes: targetBytesOf(config.WATCHPOST_PROBE_THREADS),
      egress: config.WATCHPOST_EGRESS,
      ownPort,
    },
    clock,
    log,
    meter,
  });
  for (const location of config.locations)
    bus.serve(location, health.watched(location, threads.handlersOf(location)));
  return {
    async run() {
      await untilAborted(stopping);
      threads.stop();
    },
    readyThreads: threads.ready,
    health,
    trouble: threads.trouble,
    close: threads.close,
  };
}
