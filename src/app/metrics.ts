import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import type { Meter } from "../kit/meter.ts";

interface Declared {
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Everything that is counted, under the names the log uses. */
export const counters = {
  "bus.late_report": { help: "Reports on jobs that came after their deadline" },
  "confirm.commit_retry": { help: "Verdicts that waited because the store could not commit" },
  "confirm.flip": { help: "Probed checks that changed their state", labels: ["to"] },
  "confirm.flip_lost": {
    help: "Flips that came too late: the check had been changed meanwhile",
    labels: ["to"],
  },
  "confirm.recheck": { help: "Runs beyond the first of a tick" },
  "confirm.result": { help: "Ticks with a result", labels: ["type", "passed"] },
  "confirm.mass_failure_hold": {
    help: "Failures that were held because many targets of one location failed at once",
  },
  "confirm.undecided": {
    help: "Ticks without a verdict, by the reason why no location brought an outcome",
    labels: ["reason"],
  },
  "confirm.recipients_truncated": {
    help: "Flips of probed checks with more recipients than are alerted",
  },
  "diagnostics.finished": { help: "Outages whose diagnostics are finished" },
  "diagnostics.abandoned": {
    help: "Outages without diagnostics: their location never replied, or their check was deleted",
  },
  "maintenance.step": {
    help: "Maintenances that began, ended, or came while nobody looked",
    labels: ["step"],
  },
  "notifier.address_refused": {
    help: "Messages that a receiver refused for good because of whom they were for, and what became of the address",
    labels: ["status"],
  },
  "notifier.delivered": { help: "Alerts that were accepted", labels: ["channel"] },
  "notifier.dropped": { help: "Alerts that were not sent, by reason", labels: ["reason"] },
  "notifier.failed": { help: "Alerts that were refused for good or ran out of time" },
  "notifier.mail_failed": { help: "Letters that were refused for good or ran out of time" },
  "notifier.mail_retry": { help: "Attempts to send a letter that failed and will be made again" },
  "notifier.mail_sent": { help: "Letters that the mail server took" },
  "notifier.retry": { help: "Attempts that failed and will be made again" },
  "notifier.tested": {
    help: "Tests of addresses, by whether the receiver took them",
    labels: ["channel", "accepted"],
  },
  "probe.job_error": { help: "Jobs that brought no outcome", labels: ["location", "error"] },
  "probe.untimed": {
    help: "Runs whose times were not recorded, because the event loop stood still meanwhile",
    labels: ["location"],
  },
  "push.flip": { help: "PUSH checks that changed their state", labels: ["to"] },
  "push.heartbeat": {
    help: "Heartbeats by the status of their response",
    labels: ["status"],
  },
  "push.stale": { help: "PUSH checks that failed because their heartbeats stopped" },
  "push.recipients_truncated": {
    help: "Flips of PUSH checks with more recipients than are alerted",
  },
  "scheduler.tick_missed": { help: "Ticks that never ran", labels: ["reason"] },
} as const satisfies Record<string, Declared>;

export const histograms = {
  "api.request": {
    help: "Duration of requests to the API in ms",
    labels: ["action", "resource", "status"],
  },
  "notifier.lateness": {
    help: "From when an alert was due to its acceptance, in ms",
    labels: ["channel"],
  },
  "probe.run": { help: "Duration of runs in ms", labels: ["type"] },
  "scheduler.lateness": { help: "How late ticks began, in ms" },
} as const satisfies Record<string, Declared>;

const BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000];

export interface Metrics {
  readonly meter: Meter;
  /** The exposition text of Prometheus and its content type. */
  readonly expose: () => Promise<{ readonly body: string; readonly contentType: string }>;
}

export function createMetrics(gauges: {
  readonly planned: () => number;
  readonly canCommit: () => boolean;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const byEvent = new Map<string, Counter | Histogram>();
  for (const [event, { help, labels }] of Object.entries<Declared>(counters)) {
    byEvent.set(
      event,
      new Counter({
        name: `${metricName(event)}_total`,
        help,
        labelNames: labels ?? [],
        registers,
      }),
    );
  }
  for (const [event, { help, labels }] of Object.entries<Declared>(histograms)) {
    byEvent.set(
      event,
      new Histogram({
        name: `${metricName(event)}_ms`,
        help,
        labelNames: labels ?? [],
        buckets: BUCKETS_MS,
        registers,
      }),
    );
  }
  const gauge = (name: string, help: string, value: () => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(value()) });
  };
  gauge("watchpost_scheduler_checks", "Checks on their rhythm", gauges.planned);
  gauge("watchpost_store_can_commit", "1 while the store can commit", () =>
    gauges.canCommit() ? 1 : 0,
  );
  collectDefaultMetrics({ register: registry, prefix: "watchpost_" });

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
        if (found instanceof Histogram) found.observe(labels, ms);
      },
    },
    expose: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}

function metricName(event: string): string {
  return `watchpost_${event.replaceAll(".", "_")}`;
}
