import { Gauge, type Registry } from "prom-client";

import type { Bus } from "../../bus/bus.ts";
import {
  serviceProblemNames,
  serviceProblems,
  type ServiceProblem,
} from "../../domain/service-problem.ts";
import { codeOf } from "../../kit/errors.ts";
import type { Store } from "../../store/store.ts";
import type { BackupStatus } from "../backup/schedule/backup-schedule.ts";
import type { Config } from "../../settings/config.ts";
import { channelOfBacklog, type AlertBacklog } from "../../store/tables/alerts.ts";
import { readLastBackup } from "./last-backup.ts";

/** Gauges about the service itself. */
export interface SelfMonitoringGauges {
  /** The open problems of this process. */
  readonly problems: () => readonly ServiceProblem[];
  /** Whether the mail server could be used at the last attempts; undefined before these, and where it is not tried. */
  readonly mailServerWorks: () => boolean | undefined;
  /** Time of the latest backup, in ms since the epoch. */
  readonly lastBackupAt: () => number | undefined;
  /** Status of scheduled backups; undefined in a process that does not make them. */
  readonly backups: () => BackupStatus | undefined;
  readonly now: () => number;
  readonly alertBacklog: () => Promise<readonly AlertBacklog[]>;
  readonly presence: () => Bus["presence"];
}

/** Delay from which a due alert counts as overdue in the metrics. */
const OVERDUE_MS = 5000;

/** The gauges of parts that may still have to be opened. */
export function selfMonitoringGauges(
  opened: () => {
    readonly selfMonitoring: Pick<SelfMonitoringGauges, "mailServerWorks"> & {
      readonly ownProblems: SelfMonitoringGauges["problems"];
    };
    readonly backups: () => BackupStatus | undefined;
    readonly deps: {
      readonly config: Config;
      readonly store: Store;
      readonly bus: Bus;
      readonly clock: { readonly now: () => number };
    };
  },
): SelfMonitoringGauges {
  return {
    problems: () => opened().selfMonitoring.ownProblems(),
    mailServerWorks: () => opened().selfMonitoring.mailServerWorks(),
    lastBackupAt: () => readLastBackup(opened().deps.config.WATCHPOST_DATA),
    backups: () => opened().backups(),
    now: () => opened().deps.clock.now(),
    alertBacklog: () => opened().deps.store.alerts.listBacklog(OVERDUE_MS),
    presence: () => opened().deps.bus.presence,
  };
}

export function addSelfMonitoringGauges(
  registry: Registry,
  gauges: Partial<SelfMonitoringGauges>,
): void {
  const gauge = (name: string, help: string, value: () => number | undefined): void => {
    const collect = (): void => made.set(value() ?? Number.NaN);
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  gauge(
    "watchpost_clock_seconds",
    "The time by the clock of this process, as a Unix time: compare it with that of the reader.",
    () => inSeconds(gauges.now?.()),
  );
  gauge(
    "watchpost_notifier_mail_server_works",
    "Whether the mail server let this process in at its last attempts: 1 or 0; NaN before these, and where it is not tried.",
    () => {
      const works = gauges.mailServerWorks?.();
      return works === undefined ? undefined : Number(works);
    },
  );
  addBackups(gauge, gauges);
  addLocations(registry, gauges);
  addProblems(registry, gauges);
  addBacklog(registry, gauges);
}

function addBackups(
  gauge: (name: string, help: string, value: () => number | undefined) => void,
  gauges: Partial<SelfMonitoringGauges>,
): void {
  gauge(
    "watchpost_backup_last_timestamp_seconds",
    "When the latest backup was made, on a schedule or by the command line on this machine, as a Unix time; NaN where none is known.",
    () => {
      const known = [gauges.lastBackupAt?.(), gauges.backups?.()?.last?.at];
      const latest = Math.max(...known.filter((at) => at !== undefined));
      return Number.isFinite(latest) ? inSeconds(latest) : undefined;
    },
  );
  gauge(
    "watchpost_backup_last_size_bytes",
    "The size of the latest scheduled backup; NaN where none is known.",
    () => gauges.backups?.()?.last?.bytes,
  );
  gauge(
    "watchpost_backup_last_duration_seconds",
    "How long the latest scheduled backup took; NaN where this process has made none.",
    () => gauges.backups?.()?.last?.seconds,
  );
  gauge(
    "watchpost_backup_due_timestamp_seconds",
    "When the next scheduled backup is due, as a Unix time, which is in the past while it is late; NaN without a schedule, and in a process that makes none.",
    () => {
      const dueAt = gauges.backups?.()?.dueAt;
      return dueAt === undefined || dueAt === Infinity ? undefined : inSeconds(dueAt);
    },
  );
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

function addLocations(registry: Registry, gauges: Partial<SelfMonitoringGauges>): void {
  const live: Gauge = new Gauge({
    name: "watchpost_bus_location_live",
    help: "Whether a location that was live, and is not forgotten, runs checks now: 1 or 0.",
    labelNames: ["location"],
    registers: [registry],
    collect() {
      live.reset();
      const presence = gauges.presence?.();
      for (const { code } of presence?.gone() ?? []) live.set({ location: code }, 0);
      for (const { code, isAway } of presence?.live() ?? [])
        live.set({ location: code }, isAway === true ? 0 : 1);
    },
  });
}

function addProblems(registry: Registry, gauges: Partial<SelfMonitoringGauges>): void {
  const open: Gauge = new Gauge({
    name: "watchpost_problem",
    help: "Whether the service has a problem: 1 or 0, by problem; `critical` says whether checks are not run or alerts not delivered.",
    labelNames: ["problem", "critical"],
    registers: [registry],
    collect() {
      const found = new Set(gauges.problems?.().map(({ name }) => name));
      for (const problem of serviceProblemNames) {
        const critical = String(serviceProblems[problem].critical);
        open.set({ problem, critical }, found.has(problem) ? 1 : 0);
      }
    },
  });
}

function addBacklog(registry: Registry, gauges: Partial<SelfMonitoringGauges>): void {
  const labelNames = ["channel"];
  const registers = [registry];
  const oldest: Gauge = new Gauge({
    name: "watchpost_notifier_oldest_overdue_seconds",
    help: "How long the oldest alert that is due and not delivered has been due, by channel; absent where none is.",
    labelNames,
    registers,
    async collect() {
      oldest.reset();
      alerts.reset();
      for (const [channel, queues] of Map.groupBy(await readBacklog(gauges), channelOfBacklog)) {
        oldest.set({ channel }, Math.max(...queues.map(({ oldestMs }) => oldestMs)) / 1000);
        alerts.set(
          { channel },
          queues.reduce((sum, queue) => sum + queue.alerts, 0),
        );
      }
    },
  });
  const alerts: Gauge = new Gauge({
    name: "watchpost_notifier_overdue_alerts",
    help: "Alerts that are due for 5 seconds or more and not delivered, by channel, counted up to a thousand.",
    labelNames,
    registers,
  });
}

/** Empty while the store cannot be read, which another metric shows. */
async function readBacklog({
  alertBacklog,
}: Partial<SelfMonitoringGauges>): Promise<readonly AlertBacklog[]> {
  try {
    return (await alertBacklog?.()) ?? [];
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}
