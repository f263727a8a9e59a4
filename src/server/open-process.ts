import { hostname } from "node:os";

import manifest from "../../package.json" with { type: "json" };
import { sharesOf } from "../domain/account/limits.ts";
import type { Meter } from "../kit/meter.ts";
import { createEgress, type EgressMode } from "../kit/net/egress.ts";
import { createEventLoopMonitor, type EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { Clock } from "../kit/clock.ts";
import type { Interruptions } from "../kit/interruptions.ts";
import { createIds } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { createOwnListener } from "../kit/net/own-listener.ts";
import { alertsToItself, checksOfItself } from "../kit/net/own-policy.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSteadyClock, type FollowingClock } from "../kit/time/steady-clock.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { createReceiveGaps } from "../kit/http/receive-gaps.ts";
import { createHeartbeats } from "../heartbeats/heartbeats.ts";
import type { OtlpTracer } from "../kit/tracing/otlp-tracer.ts";
import { createServiceBus, type ServiceBus } from "./nats/service-bus.ts";
import type { BackupStatus } from "./backup/schedule/backup-schedule.ts";
import type { Config } from "../settings/config.ts";
import { secureDataFolder } from "./data-folder.ts";
import { createDelivery } from "./delivery.ts";
import type { Health } from "./health/health-routes.ts";
import { createProcessInterruptions, unreadyReasons } from "./health/interruptions.ts";
import { distanceTrouble } from "../store/round-trip.ts";
import { locationTroubles, remoteTroubles } from "./health/location-states.ts";
import { storeGauges } from "./health/store-gauges.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { selfMonitoringGauges } from "./self-monitoring/gauges.ts";
import { createRecentCounts } from "./self-monitoring/recent-counts.ts";
import { createSelfMonitoring, type SelfMonitoring } from "./self-monitoring/self-monitoring.ts";
import { createMetrics, type Gauges } from "./metrics.ts";
import type { LocationState } from "../domain/location.ts";
import { openStore, openTime, type OpenedStore } from "./open-store.ts";
import type { Role, RoleDeps } from "./roles/role.ts";
import type { StartStep } from "./start-step.ts";

/** Values known once the roles are created. */
interface Made extends Pick<Gauges, "scheduledChecks" | "probeThreads"> {
  readonly roles: () => readonly Pick<Role, "trouble">[];
  readonly locations: () => readonly LocationState[];
  /** Status of scheduled backups; undefined in a process that does not make them. */
  readonly backups: () => BackupStatus | undefined;
  /** Until the configured token and the sign-in link are there. */
  readonly isStarting: () => boolean;
  readonly step: StartStep;
}

export interface OpenedProcess extends Pick<OpenedStore, "leave"> {
  /** Dependencies of every role. */
  readonly deps: RoleDeps;
  readonly eventLoop: Pick<EventLoopMonitor, "stop">;
  /** Time source of the roles' clock. */
  readonly time: { readonly close: () => Promise<void> };
  readonly selfMonitoring: SelfMonitoring;
  /** Sends remaining traces; undefined if tracing is off. */
  readonly closeTracer: (() => Promise<void>) | undefined;
  /** Called when every role is created: from then on only a stall blocks the event loop. */
  readonly started: () => void;
  /** Asks every role to stop. */
  readonly stop: () => void;
}

/** Opens what the roles of a process share: the store, the bus, and what both are measured by. */
export async function openProcess(config: Config, log: Log, made: Made): Promise<OpenedProcess> {
  secureDataFolder(config.WATCHPOST_DATA, log);
  const sealer = createSealer(loadInstanceKey(config));
  const time = await made.step(() => openTime(config, log));
  const clock = createSteadyClock(time);
  const observation = await openObservation(config, log, clock, {
    ...made,
    ...storeGauges(() => store),
    bus: () => deps.bus,
    ...selfMonitoringGauges(() => ({ deps, selfMonitoring, backups: made.backups })),
    ownedShards: () => opened.shards.owned().length,
    limitShares: async () => sharesOf(config.WATCHPOST_ACCOUNT_LIMITS, await store.usage.most()),
  });
  const { metrics, recentCounts, started, ...observed } = observation;
  const { meter, interruptions, eventLoop, tracer } = observed;
  let bus: ServiceBus | undefined;
  const { listener, egress, alertEgress } = createEgresses(config.WATCHPOST_EGRESS);
  const opening = {
    listener,
    clock,
    sealer,
    log,
    ...observed,
    ...(time.roundTripMs && { roundTripMs: time.roundTripMs }),
    busOk: () => bus?.isConnected?.() ?? true,
    changed: () => bus?.hints.publish("changes"),
  };
  const opened = await made.step(() => openStore(config, opening));
  const { store, controllerStore, shards, leaseTrouble, reception, leave } = opened;
  if (!config.WATCHPOST_CONFIRM_ADDRESSES) await made.step(() => confirmAll(store));
  const stopping = new AbortController();
  bus = await createServiceBus(config, { store, sealer, clock, log, meter });
  const { changes, hints } = bus;
  store.changes.subscribe(changes.publish);
  hints.subscribe("changes", opened.readChanges);
  const flipped = (): void => hints.publish("alerts");
  const about = { store, ids: createIds(), clock, log, meter };
  const heartbeats = createHeartbeats({
    ...about,
    controllerWrites: controllerStore,
    sharesChecks: config.WATCHPOST_DATABASE_URL !== undefined,
    saw: reception.recordProofOfLife,
    flipped,
  });
  changes.subscribe(heartbeats.invalidate);
  const deps: RoleDeps = {
    ...about,
    config,
    controllerStore,
    shards,
    leaseTrouble,
    reception,
    bus,
    egress,
    alertEgress,
    listener,
    delivery: createDelivery(config, { sealer, listener }),
    sealer,
    heartbeats,
    receiveGaps: createReceiveGaps(clock),
    health: {
      ...readinessOf({ store, bus, interruptions, clock, made, stopping }),
      metrics,
      metricsToken: config.WATCHPOST_METRICS_TOKEN,
      problems: () => selfMonitoring.problems(),
    },
    flipped,
    ...observed,
    stopping: stopping.signal,
  };
  const selfMonitoring = createSelfMonitoring({
    ...made,
    ...deps,
    recentCounts,
    operatorEgress: createEgresses("private").alertEgress,
  });
  const closeTracer = tracer?.close;
  const stop = (): void => stopping.abort();
  return { deps, leave, time, eventLoop, started, selfMonitoring, closeTracer, stop };
}

function confirmAll(store: RoleDeps["store"]): Promise<void> {
  return store.write((tx) => tx.contacts.confirmAll());
}

/** Loading and opening everything holds the event loop of a slow machine: until `started` is called, that is the start and no stall. */
export function monitorEventLoop(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  interruptions: Pick<Interruptions, "record">,
): { readonly eventLoop: EventLoopMonitor; readonly started: () => void } {
  let startedAt = Infinity;
  const eventLoop = createEventLoopMonitor(clock, {
    interrupted: (from, to) =>
      interruptions.record(from < startedAt ? "start" : "stalled", from, to),
  });
  return { eventLoop, started: () => void (startedAt = clock.monotonic()) };
}

/** Opens the metrics and traces of a process. */
async function openObservation(config: Config, log: Log, clock: FollowingClock, gauges: Gauges) {
  const metrics = createMetrics(gauges);
  const recentCounts = createRecentCounts(metrics.meter, clock);
  const { meter } = recentCounts;
  const interruptions = createProcessInterruptions({ clock, log, meter });
  const { eventLoop, started } = monitorEventLoop(clock, interruptions);
  const tracer = await openTracer(config, { clock, log, meter });
  return { metrics, recentCounts, started, meter, interruptions, eventLoop, tracer };
}

/** Returns the reasons why a process is not ready, and its limitations if it is. */
function readinessOf({
  store,
  bus,
  interruptions,
  clock,
  made,
  stopping,
}: Pick<RoleDeps, "store" | "bus" | "interruptions" | "clock"> & {
  readonly made: Made;
  readonly stopping: AbortController;
}): Pick<Health, "unready" | "degraded"> {
  return {
    unready: () =>
      [
        store.readError?.() ?? store.writeError(),
        store.housekeepingError(),
        ...made.roles().map((role) => role.trouble()),
        ...unreadyReasons(interruptions, clock),
        made.isStarting() ? "starting" : undefined,
        stopping.signal.aborted ? "stopping" : undefined,
      ].filter((reason) => reason !== undefined),
    degraded: () =>
      [
        store.shortage?.(),
        distanceTrouble(store.roundTripMs?.()),
        ...locationTroubles(made.locations()),
        ...remoteTroubles(bus.presence),
      ].filter((reason) => reason !== undefined),
  };
}

/** One policy, under which checks and alerts may reach less of this installation itself than of others. */
function createEgresses(mode: EgressMode) {
  const resolver = createResolver();
  const listener = createOwnListener();
  return {
    listener,
    egress: createEgress({ mode, resolver, own: checksOfItself(listener) }),
    alertEgress: createEgress({ mode, resolver, own: alertsToItself(listener) }),
  };
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Loads what sends traces where they are wanted, and only there. */
async function openTracer(config: Config, deps: Deps): Promise<OtlpTracer | undefined> {
  const { WATCHPOST_OTLP_URL: url, WATCHPOST_OTLP_HEADERS: headers } = config;
  if (url === undefined) return undefined;
  const { createOtlpTracer } = await import("../kit/tracing/otlp-tracer.ts");
  return createOtlpTracer({
    ...deps,
    url: url.endsWith("/v1/traces") ? url : `${url}/v1/traces`,
    headers,
    sampleRatio: config.WATCHPOST_OTLP_SAMPLE_RATIO,
    resource: {
      "service.name": "watchpost",
      "service.version": manifest.version,
      "service.instance.id": `${hostname()}-${process.pid}`,
      "watchpost.roles": config.WATCHPOST_ROLES.join(","),
    },
  });
}
