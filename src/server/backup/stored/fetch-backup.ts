import { createReadStream, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { Secret } from "../../../kit/crypto/secret.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import { byteSize } from "../../../kit/byte-size.ts";
import { fileTrouble } from "../../../kit/file-error.ts";
import { createPrivateFolder } from "../../../kit/private-folder.ts";
import type { Config } from "../../../settings/config.ts";
import { identitiesIn } from "../../../settings/backup-keys.ts";
import { unpackArchive } from "../archive.ts";
import { explained, interruptible } from "../backup-files.ts";
import type { Work } from "../make-backup.ts";
import {
  formatBackupLocation,
  type BackupDestination,
} from "../../../settings/backup-destination.ts";
import {
  openDestination,
  resolveBackupLocation,
  type DestinationSettings,
} from "./open-destination.ts";
import { claimStaging } from "./staging.ts";
import { listBackups } from "../list-backups.ts";

export type FetchSettings = DestinationSettings &
  Pick<Config, "WATCHPOST_DATA" | "WATCHPOST_BACKUP_KEY">;

/** Selected backup and its key. */
export interface BackupToFetch {
  /** A folder or a file of this machine, the name of a stored backup, or `latest`. */
  readonly backup: string;
  /** The place of stored backups; undefined for that of the settings. */
  readonly from?: string | undefined;
  /** A file with secret keys of age. */
  readonly keyFile?: string | undefined;
}

/** The folder of a backup, which is gone afterwards where it was unpacked for this. */
export interface FetchedBackup extends Disposable {
  readonly folder: string;
  /** Name for people. */
  readonly name: string;
}

const LATEST = "latest";

/** Returns the folder of a backup, unpacked next to the data folder's files if it is stored as one file. */
export async function fetchBackup(
  settings: FetchSettings,
  wish: BackupToFetch,
  work: Work,
): Promise<FetchedBackup> {
  const isStored = wish.from !== undefined || wish.backup === LATEST;
  const path = resolve(wish.backup);
  const found = isStored ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    return { folder: path, name: wish.backup, [Symbol.dispose]() {} };
  const isNamed = isStored || /^watchpost-[\w.-]+$/.test(wish.backup);
  // A mistyped path is not looked for in a place.
  if (found === undefined && !isNamed)
    return { folder: path, name: wish.backup, [Symbol.dispose]() {} };
  const identities = identitiesOf(settings, wish.keyFile);
  const { name, content } =
    found === undefined
      ? await openStored(settings, wish, work)
      : { name: wish.backup, content: readLocal(path) };
  createPrivateFolder(settings.WATCHPOST_DATA);
  const staging = claimStaging(settings.WATCHPOST_DATA);
  try {
    const folder = join(staging.folder, "backup");
    mkdirSync(folder, { mode: 0o700 });
    await unpackArchive(counted(content, work), folder, identities);
    return { folder, name, [Symbol.dispose]: () => staging[Symbol.dispose]() };
  } catch (error) {
    staging[Symbol.dispose]();
    throw error;
  }
}

function identitiesOf(settings: FetchSettings, keyFile: string | undefined): readonly Secret[] {
  const { WATCHPOST_BACKUP_KEY: key } = settings;
  if (keyFile === undefined) return key === undefined ? [] : [key];
  try {
    return identitiesIn(readFileSync(keyFile, "utf8"), keyFile);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(
      `the file of the secret key ${JSON.stringify(keyFile)} cannot be read: ${fileTrouble(error)}`,
      { cause: error },
    );
  }
}

interface Opened {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

async function openStored(
  settings: FetchSettings,
  { backup, from }: BackupToFetch,
  { interrupted }: Work,
): Promise<Opened> {
  const place = resolveBackupLocation(settings, from);
  const destination = openDestination(place, settings, interrupted);
  const name =
    backup === LATEST ? await latestIn(destination, formatBackupLocation(place)) : await known();
  return { name, content: destination.read(name) };

  async function known(): Promise<string> {
    const backups = await listBackups(destination);
    if (backups.some(({ name }) => name === backup)) return backup;
    throw new NotFound(
      `there is no backup ${JSON.stringify(backup)} in ${formatBackupLocation(place)}: "watchpost backup list" shows which there are`,
    );
  }
}

async function latestIn(
  destination: Pick<BackupDestination, "list">,
  place: string,
): Promise<string> {
  const backups = await listBackups(destination);
  const latest = backups.at(-1);
  if (latest === undefined) throw new NotFound(`there is no backup in ${place}`);
  const installations = new Set(backups.map(({ installation }) => installation));
  if (installations.size > 1)
    throw new InvalidInput(
      `${place} has backups of ${installations.size} installations (${[...installations].join(", ")}): name the backup, as "watchpost backup list" shows it`,
    );
  return latest.name;
}

async function* readLocal(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw explained(error, `the backup ${JSON.stringify(path)} in ${dirname(path)} cannot be read`);
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  work: Work,
): AsyncGenerator<Uint8Array> {
  const progress = interruptible(work.progress, work.interrupted);
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    progress(`reading ${byteSize(bytes)}`, 0);
    yield chunk;
  }
}
