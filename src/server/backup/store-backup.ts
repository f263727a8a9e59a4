import { join } from "node:path";

import { systemClock } from "../../kit/clock.ts";
import { byteSize } from "../../kit/byte-size.ts";
import { InvalidInput, Unavailable } from "../../kit/errors.ts";
import { databaseBytes, type Progress } from "../../store/backup/snapshot.ts";
import type { Config } from "../../settings/config.ts";
import { loadInstanceKey } from "../instance-key.ts";
import { recordBackup } from "../self-monitoring/last-backup.ts";
import { recipientsOf } from "./age.ts";
import { packArchive } from "./archive.ts";
import { assertRoom, interruptible } from "./backup-files.ts";
import { copyToFolder, type BackupSettings, type Work } from "./make-backup.ts";
import { DATABASE_FILE, MANIFEST_FILE, type Manifest } from "./manifest.ts";
import { backupNameOf, installationOf } from "./stored/backup-name.ts";
import {
  formatBackupLocation,
  type BackupLocation,
  type StoredFile,
} from "../../settings/backup-destination.ts";
import { listBackups, type ListedBackup } from "./list-backups.ts";
import {
  openDestination,
  resolveBackupLocation,
  type DestinationSettings,
} from "./stored/open-destination.ts";
import { expired } from "../../settings/backup-retention.ts";
import { claimStaging } from "./stored/staging.ts";

const ROOM_FACTOR = 1.2;

export type StoreBackupSettings = BackupSettings &
  DestinationSettings &
  Pick<Config, "WATCHPOST_BACKUP_KEEP" | "WATCHPOST_BACKUP_RECIPIENT" | "WATCHPOST_BACKUP_KEY">;

/** Stored backup, with the older backups deleted for it. */
export interface Stored {
  readonly manifest: Manifest;
  readonly place: string;
  readonly backup: ListedBackup;
  readonly removed: readonly ListedBackup[];
  readonly seconds: number;
}

/** Backs up the installation of the settings into a place for backups, and deletes those that are kept no longer. */
export async function storeBackup(
  settings: StoreBackupSettings,
  option: string | undefined,
  work: Work,
): Promise<Stored> {
  const startedAt = systemClock.monotonic();
  const place = resolveBackupLocation(settings, option);
  const destination = openDestination(place, settings, work.interrupted);
  assertEncryptionChosen(place, settings);
  const recipients = await recipientsOf(settings);
  // A place that cannot be used is known before anything is copied.
  await destination.list();
  await destination.removeUnfinished();
  using staging = claimStaging(settings.WATCHPOST_DATA);
  assertCopyFits(settings, staging.folder);
  const folder = join(staging.folder, "backup");
  const manifest = await copyToFolder(settings, folder, work);
  const name = backupNameOf({
    installation: installationOf(loadInstanceKey(settings)),
    at: Date.parse(manifest.taken_at),
    isEncrypted: recipients.length > 0,
  });
  const names = [MANIFEST_FILE, ...manifest.files.map((file) => file.name).toReversed()];
  const progress = interruptible(work.progress, work.interrupted);
  const content = packArchive(folder, names, recipients);
  const bytes = await destination.write(name.name, counted(content, progress));
  const backups = await listBackups(destination);
  assertStored(backups, { ...name, bytes });
  recordBackup(settings.WATCHPOST_DATA);
  const own = backups.filter(({ installation }) => installation === name.installation);
  const removed = expired(own, settings.WATCHPOST_BACKUP_KEEP).filter(
    (backup) => backup.name !== name.name,
  );
  for (const backup of removed) await destination.remove(backup.name);
  return {
    manifest,
    place: formatBackupLocation(place),
    backup: { ...name, bytes },
    removed,
    seconds: Math.round((systemClock.monotonic() - startedAt) / 1000),
  };
}

/** The settings are checked at each start, and an option is not one of them. */
function assertEncryptionChosen(place: BackupLocation, settings: StoreBackupSettings): void {
  const { WATCHPOST_BACKUP_RECIPIENT: recipient, WATCHPOST_BACKUP_KEY: key } = settings;
  if (place.kind === "s3" && recipient === undefined && key === undefined)
    throw new InvalidInput(
      `a backup has the instance key and all credentials: set WATCHPOST_BACKUP_RECIPIENT to a public key before you store it in ${formatBackupLocation(place)}, or to "none" to store it unencrypted`,
    );
}

/** Leaves room for what the service stores meanwhile: a copy of the database must not fill its disk. */
function assertCopyFits(settings: StoreBackupSettings, folder: string): void {
  if (settings.WATCHPOST_DATABASE_URL !== undefined) return;
  assertRoom(folder, databaseBytes(join(settings.WATCHPOST_DATA, DATABASE_FILE)) * ROOM_FACTOR);
}

function assertStored(backups: readonly ListedBackup[], { name, bytes }: StoredFile): void {
  const found = backups.find((backup) => backup.name === name);
  if (found?.bytes !== bytes)
    throw new Unavailable(
      found === undefined
        ? `the place for backups does not list ${name} after it was stored`
        : `${name} has ${found.bytes} bytes in its place, and ${bytes} were stored`,
    );
}

/** Counts the bytes of an archive, whose size is not known in advance. */
async function* counted(
  content: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    progress(`storing ${byteSize(bytes)}`, 0);
    yield chunk;
  }
}
