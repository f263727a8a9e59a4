import { systemClock } from "../../../kit/clock.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import type { Config } from "../../../settings/config.ts";
import {
  backupLocationSetting,
  type BackupDestination,
  type BackupLocation,
  type S3Access,
} from "../../../settings/backup-destination.ts";
import { folderDestination } from "./folder-destination.ts";
import { s3Destination } from "./s3-destination.ts";

export type DestinationSettings = Pick<
  Config,
  | "WATCHPOST_BACKUP_TO"
  | "WATCHPOST_BACKUP_S3_ENDPOINT"
  | "WATCHPOST_BACKUP_S3_REGION"
  | "WATCHPOST_BACKUP_S3_PATH_STYLE"
  | "WATCHPOST_BACKUP_S3_ACCESS_KEY"
  | "WATCHPOST_BACKUP_S3_SECRET_KEY"
>;

/** The place of an option, or else that of the settings. */
export function resolveBackupLocation(
  settings: DestinationSettings,
  option: string | undefined,
): BackupLocation {
  if (option !== undefined) {
    const parsed = backupLocationSetting.safeParse(option);
    if (parsed.success) return parsed.data;
    throw new InvalidInput(
      `the place of backups ${parsed.error.issues.map(({ message }) => message).join()}`,
    );
  }
  if (settings.WATCHPOST_BACKUP_TO === undefined)
    throw new InvalidInput(
      "there is no place for backups: set WATCHPOST_BACKUP_TO to a folder or to s3://bucket/prefix; see docs/backups.md",
    );
  return settings.WATCHPOST_BACKUP_TO;
}

export function openDestination(
  place: BackupLocation,
  settings: DestinationSettings,
  interrupted: AbortSignal,
): BackupDestination {
  const deps = { fetch, clock: systemClock, interrupted };
  return place.kind === "folder"
    ? folderDestination(place.path, deps)
    : s3Destination({ ...place, access: accessOf(settings) }, deps);
}

function accessOf(settings: DestinationSettings): S3Access {
  const {
    WATCHPOST_BACKUP_S3_ENDPOINT: endpoint,
    WATCHPOST_BACKUP_S3_ACCESS_KEY: accessKey,
    WATCHPOST_BACKUP_S3_SECRET_KEY: secretKey,
  } = settings;
  if (accessKey === undefined || secretKey === undefined)
    throw new InvalidInput(
      "s3:// requires WATCHPOST_BACKUP_S3_ACCESS_KEY and WATCHPOST_BACKUP_S3_SECRET_KEY",
    );
  return {
    endpoint,
    region: settings.WATCHPOST_BACKUP_S3_REGION,
    pathStyle: settings.WATCHPOST_BACKUP_S3_PATH_STYLE ?? endpoint !== undefined,
    accessKey,
    secretKey,
  };
}
