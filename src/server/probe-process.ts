import { createLocationServer } from "../bus/nats/location-server.ts";
import { parseLocationKey, type LocationKey } from "../bus/location-key.ts";
import { probeTypes } from "../checks/probe-types.ts";
import { systemClock } from "../kit/clock.ts";
import { InvalidInput } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createOwnListener } from "../kit/net/own-listener.ts";
import { checksOfItself } from "../kit/net/own-policy.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createEventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import { natsAccessOf } from "./nats/nats-access.ts";
import type { Config } from "../settings/config.ts";
import { locationTroubles } from "./health/location-states.ts";
import { serveProbeHealth, type ProbeHealth } from "./health/probe-health.ts";
import type { Metrics, ProbeGauges } from "./metrics.ts";
import type { ServiceCondition } from "./service-manager.ts";
import { createProbeRole } from "./roles/probe.ts";

export interface RunningProbe {
  /** Port of its health endpoint; undefined if it has none. */
  readonly healthPort: number | undefined;
  /** Resolves when it is connected to the NATS server for the first time, and takes jobs. */
  readonly connected: Promise<void>;
  readonly condition: ServiceCondition;
  /** Resolves with a sentence where its credentials are of no use. */
  readonly refused: Promise<string>;
  /** Takes no more jobs, and resolves when those that it has taken are answered. */
  readonly stop: () => Promise<void>;
}

/** Starts a process that runs the checks of one location. It dials out to the NATS server and to targets. */
export async function startProbe(config: Config, log: Log, version: string): Promise<RunningProbe> {
  const access = natsAccessOf(config);
  const key = config.WATCHPOST_LOCATION_KEY;
  const [location, another] = config.locations;
  if (access === undefined) throw missing("WATCHPOST_NATS_URL", "the NATS server, or --url");
  if (config.WATCHPOST_LOCATION === undefined || location === undefined || another !== undefined)
    throw missing("WATCHPOST_LOCATION", "the one location of this probe, or --location");
  if (key === undefined)
    throw missing("WATCHPOST_LOCATION_KEY", "what `watchpost location create` writes");
  const locationKey = parseLocationKey(key.reveal());
  assertRegion(config, locationKey);
  const stopping = new AbortController();
  const refusal = Promise.withResolvers<string>();
  const connection = Promise.withResolvers<void>();
  const metrics = await metricsFor(config, {
    probeThreads: () => probe.readyThreads(),
    locations: () => [probe.health.stateOf(location)],
    bus: () => server,
  });
  const deps = { clock: systemClock, log, meter: metrics?.meter ?? noMeter };
  const server = createLocationServer({
    ...deps,
    connected: connection.resolve,
    refused: refusal.resolve,
    access,
    key: locationKey,
    types: probeTypes,
    version,
  });
  const eventLoop = createEventLoopMonitor(systemClock, {});
  const listener = createOwnListener();
  const own = checksOfItself(listener);
  const probe = await createProbeRole({
    ...deps,
    config,
    bus: server,
    egress: createEgress({ mode: config.WATCHPOST_EGRESS, resolver: createResolver(), own }),
    eventLoop,
    ownPort: listener.port,
    stopping: stopping.signal,
  });
  const running = probe.run();
  const unready = (): readonly string[] =>
    [
      server.isConnected() ? undefined : "there is no connection to the NATS server",
      probe.trouble(),
      ...locationTroubles([probe.health.stateOf(location)]),
      stopping.signal.aborted ? "stopping" : undefined,
    ].filter((reason) => reason !== undefined);
  const health = await healthOf(config, metrics, unready);
  return {
    healthPort: health?.port,
    connected: connection.promise,
    condition: { unready },
    refused: refusal.promise,
    async stop() {
      stopping.abort();
      await running;
      await server.close();
      await probe.close();
      eventLoop.stop();
      health?.close();
    },
  };
}

/** Loaded only if metrics are read. */
async function metricsFor(config: Config, gauges: ProbeGauges): Promise<Metrics | undefined> {
  if (config.WATCHPOST_HEALTH_LISTEN === undefined) return undefined;
  const { createMetrics } = await import("./metrics.ts");
  return createMetrics(gauges);
}

function healthOf(
  { WATCHPOST_HEALTH_LISTEN: listen, WATCHPOST_METRICS_TOKEN: metricsToken }: Config,
  metrics: Metrics | undefined,
  unready: () => readonly string[],
): Promise<ProbeHealth> | undefined {
  if (listen === undefined || metrics === undefined) return undefined;
  return serveProbeHealth(listen, { metrics, metricsToken, unready, problems: () => [] });
}

/** The key alone says where a location is; a setting that contradicts it is a mistake. */
function assertRegion({ WATCHPOST_REGION: given }: Config, { region }: LocationKey): void {
  if (given === undefined || given === region) return;
  throw new InvalidInput(
    `WATCHPOST_REGION: is ${given}, but WATCHPOST_LOCATION_KEY is for ${region ?? "every region"}: make another key with \`watchpost location create <code> --region ${given}\``,
  );
}

function missing(setting: string, what: string): InvalidInput {
  return new InvalidInput(`${setting}: a probe requires ${what}`);
}
