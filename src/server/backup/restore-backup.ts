import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { createSealer, type Sealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { systemClock } from "../../kit/clock.ts";
import { codeOf, InvalidInput, NotFound } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import { copyStore } from "../../store/copy/copy-store.ts";
import { settleRestoredBackup, type SettledRestore } from "../../store/backup/settle-restored.ts";
import { openSqliteEnd } from "../../store/sqlite/copy-end.ts";
import { createSqliteEngine } from "../../store/sqlite/engine.ts";
import { openStill, type Progress, type RowCounts } from "../../store/backup/snapshot.ts";
import { loadInstanceKey } from "../instance-key.ts";
import { digestFile, interruptible } from "./backup-files.ts";
import { withProgress, type BackupSettings, type Work } from "./make-backup.ts";
import {
  DATABASE_FILE,
  KEY_FILE,
  MANIFEST_FILE,
  parseManifest,
  type BackupFile,
  type Manifest,
} from "./manifest.ts";
import { claimRestoreTarget } from "./restore-target.ts";

export interface RestoreOptions {
  readonly folder: string;
  /** Existing data is kept in a separate folder. */
  readonly replace: boolean;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Undefined if waiting items in the backup are sent: it is recent, and no service ran when it was made. */
  readonly settled: SettledRestore | undefined;
  /** The folder with what was replaced. */
  readonly kept: string | undefined;
}

/** Maximum age of a backup for moving an installation: nobody else has sent its waiting items. */
const FRESH_MS = 3_600_000;

/** Puts a backup into the place of the settings, where no service may run. Nothing is changed there before all of it was found good. */
export async function restoreBackup(
  settings: BackupSettings,
  { folder: named, replace }: RestoreOptions,
  work: Work,
): Promise<Restored> {
  const folder = resolve(named);
  const progress = interruptible(work.progress, work.interrupted);
  const manifest = await verifyFiles(folder, progress);
  const key = keyOf(settings, folder, manifest);
  const sealer = createSealer(parsedKey(key));
  {
    using still = openStill(join(folder, DATABASE_FILE));
    still.migrations();
    still.verifyKey(sealer, saidOfKey(settings.WATCHPOST_INSTANCE_KEY !== undefined));
  }
  const isGiven = settings.WATCHPOST_INSTANCE_KEY !== undefined;
  const place = claimRestoreTarget(settings, { replace, key: isGiven ? undefined : key });
  try {
    const staged = await place.stage(folder, manifest, progress);
    const settled = await settle(staged, sealer, manifest);
    const { WATCHPOST_DATABASE_URL: url } = settings;
    if (url === undefined) place.installDatabase();
    else await copyToPostgres({ url, staged, sealer }, progress);
    place.installKey();
    return { manifest, settled, kept: place.kept() };
  } finally {
    place.close();
  }
}

/** Reads a whole backup without restoring it. Throws if it could not be restored. */
export async function verifyBackup(
  settings: BackupSettings,
  named: string,
  work: Work,
): Promise<Manifest> {
  const folder = resolve(named);
  const progress = interruptible(work.progress, work.interrupted);
  const manifest = await verifyFiles(folder, progress);
  using still = openStill(join(folder, DATABASE_FILE));
  still.migrations();
  const given = manifest.key === "setting" ? settings.WATCHPOST_INSTANCE_KEY : undefined;
  if (manifest.key === "file" || given !== undefined) {
    const key = keyOf({ ...settings, WATCHPOST_INSTANCE_KEY: given }, folder, manifest);
    still.verifyKey(createSealer(parsedKey(key)), saidOfKey(given !== undefined));
  }
  assertSameRows(manifest.rows, await still.check(progress));
  return manifest;
}

function assertSameRows(noted: RowCounts, found: RowCounts): void {
  for (const [table, rows] of Object.entries(noted))
    if (found[table] !== rows)
      throw new InvalidInput(
        `${DATABASE_FILE} of the backup has ${found[table] ?? "no"} rows in ${table}, and had ${rows}: take another backup`,
      );
}

async function verifyFiles(folder: string, progress: Progress): Promise<Manifest> {
  const manifest = readManifest(folder);
  for (const file of manifest.files) await verifyFile(folder, file, progress);
  return manifest;
}

function saidOfKey(isGiven: boolean): string {
  return isGiven
    ? "WATCHPOST_INSTANCE_KEY is not the key of this backup: set it to that of the installation that was backed up, or unset it"
    : `${KEY_FILE} of the backup is not the key of its database`;
}

function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  if (folder.endsWith(".unfinished"))
    throw new InvalidInput(
      `${JSON.stringify(folder)} is what an interrupted backup left behind, and not whole: name another`,
    );
  if (!existsSync(path))
    throw new NotFound(
      `there is no ${JSON.stringify(path)}: name a folder that "watchpost backup" made`,
    );
  try {
    return parseManifest(readFileSync(path, "utf8"));
  } catch (error) {
    if (codeOf(error) === "invalid_input") throw error;
    throw new InvalidInput(`${JSON.stringify(path)} cannot be read: ${fileTrouble(error)}`, {
      cause: error,
    });
  }
}

async function verifyFile(
  folder: string,
  { name, bytes, sha256 }: BackupFile,
  progress: Progress,
): Promise<void> {
  const path = join(folder, name);
  if (!existsSync(path))
    throw new NotFound(`the backup lacks its file ${name}: take another backup`);
  const found = await digestFile(path, (share) => progress(`verifying ${name}`, share));
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new InvalidInput(
      `${name} is damaged or was changed: it has ${found.bytes} bytes with the SHA-256 ${found.sha256}, and had ${bytes} with ${sha256}. Take another backup, or another copy of this one`,
    );
}

/** The key of the settings, or else that of the backup. */
function keyOf(settings: BackupSettings, folder: string, { key }: Manifest): Secret {
  if (settings.WATCHPOST_INSTANCE_KEY !== undefined) return settings.WATCHPOST_INSTANCE_KEY;
  if (key === "setting")
    throw new NotFound(
      "the backup is without its key, which was given by a setting: set WATCHPOST_INSTANCE_KEY to that of the installation that was backed up",
    );
  return new Secret(readFileSync(join(folder, KEY_FILE), "utf8").trim());
}

function parsedKey(key: Secret): Uint8Array {
  return loadInstanceKey({
    WATCHPOST_DATA: "",
    WATCHPOST_INSTANCE_KEY: key,
    WATCHPOST_DATABASE_URL: undefined,
  });
}

/** Migrates the copy to this version's schema, and ends its due items unless no other installation can have sent them. */
async function settle(
  staged: string,
  sealer: Sealer,
  { taken_at, in_use }: Manifest,
): Promise<SettledRestore | undefined> {
  const end = openSqliteEnd(staged, sealer);
  try {
    const isFresh = systemClock.now() - Date.parse(taken_at) < FRESH_MS;
    if (!in_use && isFresh) return undefined;
    return await settleRestoredBackup(end.db, createSqliteEngine(systemClock));
  } finally {
    await end.finish();
    await end.close();
  }
}

async function copyToPostgres(
  {
    url,
    staged,
    sealer,
  }: { readonly url: Secret; readonly staged: string; readonly sealer: Sealer },
  progress: Progress,
): Promise<void> {
  const { openPostgresEnd, discardUnfinished } = await import("../../store/postgres/copy-end.ts");
  const { assertUnused } = await import("./restore-target.ts");
  const target = await openPostgresEnd(url, sealer);
  try {
    await assertUnused(target);
    await discardUnfinished(target.db);
    const source = openSqliteEnd(staged, sealer);
    try {
      await copyStore({ source, target: withProgress(target, progress) }, ({ name }) =>
        progress(`comparing ${name}`, 1),
      );
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}
