import type { RoleDeps } from "../../roles/role.ts";
import { loadInstanceKey } from "../../instance-key.ts";
import { installationOf } from "../stored/backup-name.ts";
import { createBackupSchedule, type BackupSchedule } from "./backup-schedule.ts";

type Deps = Pick<RoleDeps, "config" | "shards" | "clock" | "log" | "meter" | "stopping">;

/** One process makes the backups of the installation: the one that controls this shard. */
const BACKUP_SHARD = 0;

/** Undefined if the settings have no destination or no schedule. */
export function scheduledBackups(deps: Deps): BackupSchedule | undefined {
  const { config, shards, clock, stopping } = deps;
  const { WATCHPOST_BACKUP_TO: place, WATCHPOST_BACKUP_SCHEDULE: cron } = config;
  if (place === undefined || cron === undefined) return undefined;
  const installation = installationOf(loadInstanceKey(config));
  return createBackupSchedule({
    ...deps,
    cron,
    timeZone: config.WATCHPOST_TIMEZONE,
    isResponsible: () => shards.owns(BACKUP_SHARD),
    async list() {
      const { openDestination } = await import("../stored/open-destination.ts");
      const { listBackups } = await import("../list-backups.ts");
      const backups = await listBackups(openDestination(place, config, stopping));
      return backups.filter((backup) => backup.installation === installation);
    },
    async backUp(signal) {
      const { runBackupProcess } = await import("./backup-process.ts");
      return runBackupProcess(clock, signal);
    },
  });
}
