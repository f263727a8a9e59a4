import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import type { LocationState } from "../domain/location.ts";
import { addSelfMonitoringGauges, type SelfMonitoringGauges } from "./self-monitoring/gauges.ts";
import type { Bus } from "../bus/bus.ts";
import type { Meter } from "../kit/meter.ts";
import { notifierCounters } from "./health/notifier-counters.ts";

export interface MetricDeclaration {
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Every counter, by the name of the log event that it counts. */
export const counters = {
  "api.limit_reached": {
    help: "Requests that were refused because the account would have kept more than it may, by limit.",
    labels: ["limit"],
  },
  "bus.beat_refused": {
    help: "Messages of unknown locations that none of our keys opens: the key is of another installation, another region or an older version.",
  },
  "bus.discovery_rest": {
    help: "Times that no new location was looked for during 10 seconds, because locations had sent too much.",
  },
  "bus.location_cut_off": {
    help: "Times that nothing of a location was received during 30 seconds, because it had sent too much.",
    labels: ["location"],
  },
  "bus.probe_refused": {
    help: "Messages of probes beyond the 32 that a location may have.",
    labels: ["location"],
  },
  "bus.disconnected": { help: "Times that the connection to the NATS server was lost." },
  "bus.job_answered": {
    help: "Jobs that this probe answered, by their outcome: passed, failed, or why there was none.",
    labels: ["outcome"],
  },
  "bus.job_unreadable": {
    help: "Jobs that this probe could not read, because they are sealed with another key.",
  },
  "bus.late_report": {
    help: "Reports that arrived after their job had timed out, or when nobody waited for them any more.",
  },
  "bus.no_responders": {
    help: "Jobs and diagnostics that no probe of the location took.",
    labels: ["location"],
  },
  "app.backup_failed": {
    help: "Attempts to store a scheduled backup that failed, and will be repeated.",
  },
  "app.backup_stored": { help: "Scheduled backups that were stored." },
  "app.operator_alerted": {
    help: "Messages to the operator about the service itself that were accepted, by way.",
    labels: ["way"],
  },
  "app.operator_not_alerted": {
    help: "Failed attempts to alert the operator, which will be repeated, by way.",
    labels: ["way"],
  },
  "app.clock_step": {
    help: "Times that the system's clock was set, by direction.",
    labels: ["direction"],
  },
  "confirm.commit_retry": { help: "Verdicts that waited because the store could not commit." },
  "confirm.flip": { help: "State changes of probed checks.", labels: ["to"] },
  "confirm.flip_lost": {
    help: "State changes that were discarded because the check had been changed meanwhile.",
    labels: ["to"],
  },
  "confirm.recheck": { help: "Runs that rechecked the first run of a tick." },
  "confirm.result": { help: "Stored results of probed checks.", labels: ["type", "passed"] },
  "confirm.mass_failure_hold": {
    help: "Failures that were held back because many targets of one location failed at once.",
  },
  "confirm.failure_outvoted": {
    help: "Failed runs of checks that stayed up because other locations reached the target, by the location that failed.",
    labels: ["location"],
  },
  "confirm.location_blind": {
    help: "Failures that were not believed because their location reached no target that passed before.",
    labels: ["location"],
  },
  "confirm.undecided": {
    help: "Ticks without a verdict because of an internal problem.",
    labels: ["reason"],
  },
  "confirm.run_undecided": {
    help: "Runs without an outcome for a reason of the service, by location and reason.",
    labels: ["location", "reason"],
  },
  "confirm.recipients_truncated": {
    help: "State changes of probed checks with more recipients than can be alerted.",
  },
  "diagnostics.finished": { help: "Diagnostics of outages that finished." },
  "diagnostics.abandoned": {
    help: "Diagnostics of outages that were abandoned: no response, or the check was deleted.",
  },
  "http.connection_closed": {
    help: "Connections that waited and were closed: for newer ones, where their client had too many or all together, because what they sent was no head of a request, or because more than is held for their client waited to be parsed (`unparsed`).",
    labels: ["limit"],
  },
  "http.connection_dropped": {
    help: "Connections that were closed unread, or with status 503, while this process had more to do than it could, because nothing that came from their address was answered as it asked, or little of it.",
  },
  "http.connection_refused": {
    help: "Connections that were refused because there were too many and none of them waited.",
  },
  interruption_seconds: {
    help: "Time in which this process could not hear or act, by cause.",
    labels: ["cause"],
  },
  "maintenance.step": {
    help: "Maintenances that started, ended or were missed.",
    labels: ["step"],
  },
  ...notifierCounters,
  "probe.job_error": { help: "Jobs without an outcome.", labels: ["location", "error"] },
  "probe.thread_ended": {
    help: "Probe threads that ended, and were replaced, by reason.",
    labels: ["reason"],
  },
  "probe.thread_stalled_seconds": {
    help: "Time in which a probe thread was too busy to act on time, by thread.",
    labels: ["thread"],
  },
  "probe.untimed": {
    help: "Runs whose times were not recorded because the event loop had stalled.",
    labels: ["location"],
  },
  "push.flip": { help: "State changes of PUSH checks.", labels: ["to"] },
  "push.flip_lost": {
    help: "State changes of PUSH checks that were judged again because the check had been changed meanwhile.",
    labels: ["to"],
  },
  "push.heartbeat": { help: "Heartbeats by HTTP status.", labels: ["status"] },
  "push.stale": { help: "PUSH checks whose heartbeats stopped." },
  "push.mass_silence_hold": {
    help: "PUSH checks that were held back because many fell silent at once.",
  },
  "push.run_overdue": { help: "PUSH checks of which a run took too long." },
  "push.recipients_truncated": {
    help: "State changes of PUSH checks with more recipients than can be alerted.",
  },
  "store.day_not_packed": {
    help: "Days of a check whose results could not be packed, at each attempt; they stay rows.",
  },
  "store.packed_day_unreadable": {
    help: "Times that a packed day of a check, or its summaries, were to be read and are damaged; they are left out.",
  },
  "store.results_packed": { help: "Results that were packed." },
  "store.result_dropped": {
    help: "Results that were not stored because the disk was full; none of them changed a state.",
  },
  "store.result_rejected": {
    help: "Results that no table of results takes; they are kept apart, with the reason.",
  },
  "store.unit_fenced": {
    help: "Writes of a controller that were refused because another had taken over from it.",
  },
  "app.spans_dropped": { help: "Spans that their receiver did not take in time." },
  "app.spans_sent": { help: "Spans that their receiver took." },
  "scheduler.run_delayed": {
    help: "Runs that had to wait when they were due, by what they waited for.",
    labels: ["reason"],
  },
  "scheduler.tick_missed": { help: "Ticks that never ran.", labels: ["reason"] },
} as const satisfies Record<string, MetricDeclaration>;

/** Every histogram, by the name of what is observed. */
export const histograms = {
  "api.request": {
    help: "Duration of API requests.",
    labels: ["action", "resource", "status"],
  },
  "notifier.lateness": {
    help: "Time from when an alert was due until it was accepted.",
    labels: ["channel"],
  },
  "probe.run": { help: "Duration of check runs.", labels: ["type"] },
  "scheduler.lateness": { help: "Time from when a tick was due until it started." },
} as const satisfies Record<string, MetricDeclaration>;

const BUCKETS_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
/** Gauges of prom-client that are named like counters; the gauges by type say the same. */
const MISNAMED = ["handles", "requests", "resources"].map(
  (kind) => `watchpost_nodejs_active_${kind}_total`,
);

export interface Metrics {
  readonly meter: Meter;
  /** The metrics in the text format of Prometheus, with its content type. */
  readonly expose: () => Promise<{ readonly body: string; readonly contentType: string }>;
}

interface BusState {
  /** Undefined if no broker is configured. */
  readonly isConnected: (() => boolean) | undefined;
  readonly presence: Bus["presence"];
}

/** Gauges of a process that runs checks, read on each scrape. */
export interface ProbeGauges {
  readonly probeThreads: () => number;
  readonly locations?: () => readonly LocationState[];
  readonly bus?: () => Pick<BusState, "isConnected">;
}

/** The same of the service. */
export interface Gauges extends ProbeGauges, Partial<SelfMonitoringGauges> {
  readonly scheduledChecks: () => number;
  readonly canCommit: () => boolean;
  /** Whether the disk is full, and results are dropped. */
  readonly isShort: () => boolean;
  readonly oldestCommitMs: () => number;
  readonly bus?: () => BusState;
  /** Undefined if no store is shared. */
  readonly ownedShards?: () => number;
  readonly changeLagMs?: () => number;
  /** Undefined on the embedded database, which makes a table for a day when it needs one. */
  readonly partitionsAhead?: () => number | undefined;
  /** Undefined on the embedded database. */
  readonly roundTripMs?: () => number | undefined;
  /** Maximum usage of each limit by any account, as a fraction. None if the process has no accounts. */
  readonly limitShares?: () => Promise<Readonly<Record<string, number>>>;
}

export function createMetrics(gauges: Gauges | ProbeGauges): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const byEvent = new Map<string, Counter | Histogram>();
  for (const [event, { help, labels = [] }] of Object.entries<MetricDeclaration>(counters)) {
    const name = metricName(event, "total");
    byEvent.set(event, new Counter({ name, help, labelNames: labels, registers }));
  }
  for (const [event, { help, labels = [] }] of Object.entries<MetricDeclaration>(histograms)) {
    const name = metricName(event, "seconds");
    const buckets = BUCKETS_SECONDS;
    byEvent.set(event, new Histogram({ name, help, labelNames: labels, buckets, registers }));
  }
  addGauges(registry, gauges);
  collectDefaultMetrics({ register: registry, prefix: "watchpost_" });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const metric = (event: string): Counter | Histogram => {
    const found = byEvent.get(event);
    if (found === undefined) throw new Error(`no metric is declared for ${JSON.stringify(event)}`);
    return found;
  };

  return {
    meter: {
      count(event, labels = {}, by = 1) {
        const found = metric(event);
        if (found instanceof Counter) found.inc(labels, by);
      },
      observe(event, ms, labels = {}) {
        const found = metric(event);
        if (found instanceof Histogram) found.observe(labels, ms / 1000);
      },
    },
    expose: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}

function addGauges(registry: Registry, gauges: Gauges | ProbeGauges): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    const collect = (): void => made.set(value());
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  gauge(
    "watchpost_probe_threads",
    "Threads that run checks: 0 where the main thread does.",
    gauges.probeThreads,
  );
  gauge(
    "watchpost_bus_connected",
    "Whether there is a connection to the NATS server: 1 or 0; 0 where none is configured.",
    () => (gauges.bus?.().isConnected?.() ? 1 : 0),
  );
  addLocationStates(registry, gauges);
  if (!("scheduledChecks" in gauges)) return;
  gauge("watchpost_scheduler_checks", "Scheduled checks.", gauges.scheduledChecks);
  gauge("watchpost_store_can_commit", "Whether the store can commit: 1 or 0.", () =>
    gauges.canCommit() ? 1 : 0,
  );
  gauge(
    "watchpost_store_disk_full",
    "Whether the disk is full, so that only the reserve is left and results are dropped: 1 or 0.",
    () => (gauges.isShort() ? 1 : 0),
  );
  gauge(
    "watchpost_store_oldest_commit_seconds",
    "How long the oldest commit that waits for the disk has waited: 0 where none does.",
    () => gauges.oldestCommitMs() / 1000,
  );
  gauge(
    "watchpost_store_shards",
    "Shards of the checks that this process controls, of 256.",
    () => gauges.ownedShards?.() ?? 0,
  );
  gauge(
    "watchpost_store_change_lag_seconds",
    "How long changes by other processes may not have been read: 0 on the embedded database.",
    () => (gauges.changeLagMs?.() ?? 0) / 1000,
  );
  gauge(
    "watchpost_store_partitions_ahead",
    "For how many days to come PostgreSQL has a partition for results: 7, and 1 is the least with which a process is ready; NaN on the embedded database.",
    () => gauges.partitionsAhead?.() ?? Number.NaN,
  );
  gauge(
    "watchpost_store_round_trip_seconds",
    "How long a round trip to PostgreSQL takes, the median of the latest five; NaN on the embedded database.",
    () => (gauges.roundTripMs?.() ?? Number.NaN) / 1000,
  );
  gauge(
    "watchpost_bus_live_locations",
    "Locations that checks can be run from now.",
    () => (gauges.bus?.().presence.live() ?? []).filter(({ isAway }) => isAway !== true).length,
  );
  gauge(
    "watchpost_bus_configured",
    "Whether locations on other machines are reached over a NATS server: 1 or 0.",
    () => (gauges.bus?.().isConnected === undefined ? 0 : 1),
  );
  addSelfMonitoringGauges(registry, gauges);
  addLimitShares(registry, gauges);
}

function addLocationStates(registry: Registry, { locations }: ProbeGauges): void {
  const gauge = (
    name: string,
    help: string,
    isWell: (state: LocationState) => boolean | undefined,
  ): void => {
    const collect = (): void => {
      for (const state of locations?.() ?? []) {
        const well = isWell(state);
        if (well !== undefined) made.set({ location: state.location }, well ? 1 : 0);
      }
    };
    const labelNames = ["location"];
    const made: Gauge = new Gauge({ name, help, labelNames, registers: [registry], collect });
  };
  gauge(
    "watchpost_probe_online",
    "Whether a location is online, as far as its links, its connectivity addresses and its public targets show: 1 or 0.",
    ({ isOnline }) => isOnline,
  );
  gauge(
    "watchpost_probe_resolver_answers",
    "Whether the resolver of a location answers: 1 or 0.",
    ({ resolverAnswers }) => resolverAnswers,
  );
}

function addLimitShares(registry: Registry, gauges: Gauges): void {
  const shares: Gauge = new Gauge({
    name: "watchpost_api_limit_share",
    help: "The greatest share of a limit that an account uses, from 0 to 1; 0 without the limit.",
    labelNames: ["limit"],
    registers: [registry],
    async collect() {
      for (const [limit, share] of Object.entries((await gauges.limitShares?.()) ?? {}))
        shares.set({ limit }, share);
    },
  });
}

export function metricName(event: string, suffix: "total" | "seconds"): string {
  return `watchpost_${event.replaceAll(".", "_")}_${suffix}`;
}
