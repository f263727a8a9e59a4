import { parseBackupName, type BackupName } from "./stored/backup-name.ts";
import {
  formatBackupLocation,
  type BackupDestination,
  type StoredFile,
} from "../../settings/backup-destination.ts";
import {
  openDestination,
  resolveBackupLocation,
  type DestinationSettings,
} from "./stored/open-destination.ts";

/** A backup in its place. */
export type ListedBackup = StoredFile & BackupName;

/** The backups in the place of an option or of the settings, oldest first. */
export async function listDestination(
  settings: DestinationSettings,
  option: string | undefined,
  interrupted: AbortSignal,
): Promise<{ readonly place: string; readonly backups: readonly ListedBackup[] }> {
  const place = resolveBackupLocation(settings, option);
  const destination = openDestination(place, settings, interrupted);
  return { place: formatBackupLocation(place), backups: await listBackups(destination) };
}

/** The backups in a place, of all installations, oldest first. */
export async function listBackups(
  destination: Pick<BackupDestination, "list">,
): Promise<readonly ListedBackup[]> {
  const files = await destination.list();
  return files
    .flatMap((file) => {
      const name = parseBackupName(file.name);
      return name === undefined ? [] : [{ ...file, ...name }];
    })
    .toSorted((one, other) => one.at - other.at);
}
