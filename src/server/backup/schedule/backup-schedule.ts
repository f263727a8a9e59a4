import { nextStart } from "../../../domain/heartbeat/cron.ts";
import { createDeadline } from "../../../kit/abort.ts";
import { CLOCK_SKEW_TOLERANCE_MS, sleep, type Clock } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import { byteSize } from "../../../kit/byte-size.ts";
import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";
import type { BackupReport } from "./backup-process.ts";

interface Deps {
  /** Schedule of backups in that time zone. */
  readonly cron: string;
  readonly timeZone: string;
  /** Whether this process is the one of the installation that makes them. */
  readonly isResponsible: () => boolean;
  /** The backups of the installation in their place. */
  readonly list: () => Promise<readonly KnownBackup[]>;
  readonly backUp: (signal: AbortSignal) => Promise<BackupReport>;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
  readonly meter: Pick<Meter, "count">;
}

export interface KnownBackup {
  /** The instant of the backup, in ms since the epoch. */
  readonly at: number;
  readonly bytes: number;
}

/** Status of scheduled backups. */
export interface BackupStatus {
  readonly last: (KnownBackup & { readonly seconds?: number }) | undefined;
  /** Time at which the next one is due, or was if it was not made; undefined before the existing backups were read. */
  readonly dueAt: number | undefined;
  /** The failures since the last success, with the reason of the latest. */
  readonly failures: number;
  readonly failure: string | undefined;
}

export interface BackupSchedule {
  /** Undefined in a process that is not the one that makes them. */
  readonly status: () => BackupStatus | undefined;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Delay of a scheduled backup from which the operator is warned. */
export const BACKUP_LATE_MS = 2 * 3_600_000;
const LOOK_INTERVAL_MS = 10_000;
/** A start has other things to do, and may be one of many in a row. */
const SETTLE_MS = 30_000;
const PAUSES_MS = [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as const;
/** A backup that takes longer is ended, and tried again. */
const MAX_DURATION_MS = 12 * 3_600_000;

/**
 * Stores a backup whenever one is due. The place itself says when the last one was stored, so that a restart, another process that takes
 * over, and a machine that was off at the hour make up for what was missed, and nothing else.
 */
export function createBackupSchedule(deps: Deps): BackupSchedule {
  const { cron, timeZone, isResponsible, list, clock, log, meter } = deps;
  let status: BackupStatus | undefined;
  let notBefore = clock.monotonic() + SETTLE_MS;

  const dueAfter = (last: KnownBackup | undefined): number =>
    last === undefined ? clock.now() : nextBackupAt({ cron, timeZone }, last.at);

  const failed = (error: unknown): void => {
    const failures = (status?.failures ?? 0) + 1;
    const failure = messageOf(error);
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? SETTLE_MS;
    status = { last: undefined, dueAt: undefined, ...status, failures, failure };
    notBefore = clock.monotonic() + pause;
    meter.count("app.backup_failed");
    log.error("app.backup_failed", { error: failure, retryInMs: pause });
  };

  const readPlace = async (): Promise<void> => {
    const last = lastBackupOf(await list(), clock.now());
    status = { failures: 0, failure: undefined, ...status, last, dueAt: dueAfter(last) };
  };

  const backUp = async (signal: AbortSignal): Promise<void> => {
    const startedAt = clock.now();
    using deadline = createDeadline(clock, MAX_DURATION_MS);
    try {
      const report = await deps.backUp(AbortSignal.any([signal, deadline.signal]));
      const { name, bytes, seconds, deleted } = report;
      // A database server has its own clock, which may be behind.
      const at = Math.max(Date.parse(report.taken_at), startedAt);
      const last = { at, bytes, seconds };
      status = { last, dueAt: dueAfter(last), failures: 0, failure: undefined };
      meter.count("app.backup_stored");
      log.info("app.backup_stored", {
        name,
        size: byteSize(bytes),
        seconds,
        deleted: deleted.length,
      });
    } catch (error) {
      if (signal.aborted) return;
      failed(deadline.signal.aborted ? new Error("it took longer than 12 hours") : error);
    }
  };

  const look = async (signal: AbortSignal): Promise<void> => {
    if (!isResponsible()) {
      status = undefined;
      return;
    }
    if (clock.monotonic() < notBefore) return;
    if (status?.dueAt === undefined) {
      try {
        await readPlace();
      } catch (error) {
        failed(error);
        return;
      }
    }
    // It was set back since: what was stored in the meantime is not the last one.
    if ((status?.last?.at ?? 0) > clock.now() + LOOK_INTERVAL_MS) status = undefined;
    else if ((status?.dueAt ?? Infinity) <= clock.now()) await backUp(signal);
  };

  return {
    status: () => status,
    async run(signal) {
      while (!signal.aborted) {
        await look(signal);
        await sleep(clock, LOOK_INTERVAL_MS, signal);
      }
    },
  };
}

/** Returns the time of the backup after an instant. */
export function nextBackupAt(
  { cron, timeZone }: Pick<Deps, "cron" | "timeZone">,
  lastAt: number,
): number {
  return nextStart(cron, lastAt, timeZone) ?? Infinity;
}

/** The latest one. Those of a time that has not come yet were made while the clock was wrong. */
export function lastBackupOf<Backup extends KnownBackup>(
  backups: readonly Backup[],
  now: number,
): Backup | undefined {
  return backups
    .filter(({ at }) => at <= now + CLOCK_SKEW_TOLERANCE_MS)
    .toSorted((one, other) => one.at - other.at)
    .at(-1);
}
