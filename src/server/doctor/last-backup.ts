import { messageOf } from "../../kit/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import { listBackups } from "../backup/list-backups.ts";
import { BACKUP_LATE_MS, lastBackupOf, nextBackupAt } from "../backup/schedule/backup-schedule.ts";
import { installationOf } from "../backup/stored/backup-name.ts";
import { formatBackupLocation } from "../../settings/backup-destination.ts";
import { openDestination } from "../backup/stored/open-destination.ts";
import type { Config } from "../../settings/config.ts";
import { hasInstanceKey, loadInstanceKey } from "../instance-key.ts";
import { readLastBackup } from "../self-monitoring/last-backup.ts";
import type { Finding } from "./finding.ts";
import { remedyFor } from "./remedies.ts";

const NAME = "last backup";
const ANSWER_MS = 15_000;
const HOUR_MS = 3_600_000;
/** A week, and a day for one that takes long. */
const MAX_HOURS = 8 * 24;

/** How long ago the installation was backed up: measured by the schedule where it has one, whatever its database is. */
export async function backupFinding(config: Config, clock: Pick<Clock, "now">): Promise<Finding> {
  const { WATCHPOST_BACKUP_TO: place, WATCHPOST_BACKUP_SCHEDULE: cron } = config;
  const now = clock.now();
  if (place === undefined) return unscheduled(readLastBackup(config.WATCHPOST_DATA), now);
  let at: number | undefined;
  try {
    at = await lastStoredAt(config, place, now);
  } catch (error) {
    const advice = "look at WATCHPOST_BACKUP_TO, and run this as the user of the service";
    return {
      name: NAME,
      state: "red",
      found: `the backups in ${formatBackupLocation(place)} cannot be listed: ${messageOf(error)}`,
      advice: remedyFor(error, advice),
    };
  }
  if (cron === undefined) return unscheduled(at, now);
  const advice =
    "look at the log for app.backup_failed, then store one with watchpost backup; docs/backups.md";
  if (at === undefined) {
    const found = `none of this installation is in ${formatBackupLocation(place)}`;
    return { name: NAME, state: "amber", found, advice };
  }
  const dueAt = nextBackupAt({ cron, timeZone: config.WATCHPOST_TIMEZONE }, at);
  return now - dueAt > BACKUP_LATE_MS
    ? {
        name: NAME,
        state: "amber",
        found: `${age(now - at)} ago, and the next was due ${age(now - dueAt)} ago by WATCHPOST_BACKUP_SCHEDULE`,
        advice,
      }
    : { name: NAME, state: "green", found: `${age(now - at)} ago, as scheduled` };
}

function unscheduled(at: number | undefined, now: number): Finding {
  const advice = "make one with watchpost backup, or set WATCHPOST_BACKUP_TO; docs/backups.md";
  if (at === undefined) return { name: NAME, state: "amber", found: "none is known of", advice };
  const found = `${age(now - at)} ago`;
  return (now - at) / HOUR_MS > MAX_HOURS
    ? { name: NAME, state: "amber", found, advice }
    : { name: NAME, state: "green", found };
}

/** The place says it, whichever process stored the backup. */
async function lastStoredAt(
  config: Config,
  place: NonNullable<Config["WATCHPOST_BACKUP_TO"]>,
  now: number,
): Promise<number | undefined> {
  // Loading a missing key would create it.
  if (!hasInstanceKey(config)) return undefined;
  const own = installationOf(loadInstanceKey(config));
  const destination = openDestination(place, config, AbortSignal.timeout(ANSWER_MS));
  const backups = await listBackups(destination);
  return lastBackupOf(
    backups.filter(({ installation }) => installation === own),
    now,
  )?.at;
}

function age(ms: number): string {
  const hours = Math.max(0, ms) / HOUR_MS;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}
