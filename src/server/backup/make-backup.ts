import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { z } from "zod";

import { createSealer, type Sealer } from "../../kit/crypto/seal.ts";
import { systemClock } from "../../kit/clock.ts";
import { codeOf, Conflict, NotFound, Unavailable } from "../../kit/errors.ts";
import { copyStore } from "../../store/copy/copy-store.ts";
import type { CopyEnd } from "../../store/copy/copy-end.ts";
import { openSqliteEnd } from "../../store/sqlite/copy-end.ts";
import { lockFolder } from "../../store/sqlite/open-database.ts";
import {
  copySnapshot,
  databaseBytes,
  openStill,
  type Progress,
  type RowCounts,
} from "../../store/backup/snapshot.ts";
import type { Config } from "../../settings/config.ts";
import { recordBackup } from "../self-monitoring/last-backup.ts";
import { callService, isNotRunning } from "../control/call-service.ts";
import { loadInstanceKey } from "../instance-key.ts";
import {
  assertRoom,
  digestFile,
  explained,
  interruptible,
  removeFolder,
  settleFolder,
  syncPath,
} from "./backup-files.ts";
import {
  DATABASE_FILE,
  KEY_FILE,
  MANIFEST_FILE,
  writeManifest,
  type BackupFile,
  type Manifest,
} from "./manifest.ts";

export type BackupSettings = Pick<
  Config,
  "WATCHPOST_DATA" | "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_DATABASE_URL"
>;

/** Progress reports and cancellation of a backup or restore. */
export interface Work {
  readonly version: string;
  readonly progress: Progress;
  readonly interrupted: AbortSignal;
  /** Whether a service will send the due items in it, although none runs now. */
  readonly serviceFollows?: boolean;
}

type Taken = Pick<Manifest, "engine" | "taken_at" | "in_use"> & {
  /** Row counts of the snapshot, if the copy has the same tables; a copy of another engine is compared row by row. */
  readonly rows: RowCounts | undefined;
};

/** Backs up the installation of the settings into a new folder, and notes when. */
export async function createBackup(
  settings: BackupSettings,
  named: string,
  work: Work,
): Promise<Manifest> {
  const manifest = await copyToFolder(settings, named, work);
  recordBackup(settings.WATCHPOST_DATA);
  return manifest;
}

/** Copies the installation of the settings into a new folder, whether or not a service runs on it. What is not whole is never there under that name. */
export async function copyToFolder(
  settings: BackupSettings,
  named: string,
  work: Work,
): Promise<Manifest> {
  const folder = resolve(named);
  assertFree(folder);
  const sealer = openSealer(settings);
  const unfinished = `${folder}.unfinished`;
  const progress = interruptible(work.progress, work.interrupted);
  let unlock: (() => void) | undefined;
  try {
    unlock = claim(unfinished, folder);
    const taken = await copyInstallation({ settings, sealer }, unfinished, progress);
    const path = join(unfinished, DATABASE_FILE);
    using still = openStill(path);
    still.verifyKey(sealer, "the copy has another instance key than its original");
    const rows = await still.check(progress);
    assertSame(taken.rows, rows);
    if (rows["accounts"] === 0)
      throw new NotFound("there is nothing to back up: the installation has no account yet");
    const isGiven = settings.WATCHPOST_INSTANCE_KEY !== undefined;
    if (!isGiven) writeKey(settings, unfinished);
    const files: BackupFile[] = [];
    for (const name of isGiven ? ([DATABASE_FILE] as const) : ([DATABASE_FILE, KEY_FILE] as const))
      files.push({
        name,
        ...(await digestFile(join(unfinished, name), (share) => progress("hashing", share))),
      });
    const { engine, taken_at } = taken;
    const body = {
      version: work.version,
      schema: nameOf(still.migrations().at(-1)),
      taken_at,
      engine,
      in_use: taken.in_use || work.serviceFollows === true,
      key: isGiven ? ("setting" as const) : ("file" as const),
      files,
      rows,
    };
    writeFileSync(join(unfinished, MANIFEST_FILE), writeManifest(body), { mode: 0o600 });
    unlock();
    finish(unfinished, folder);
    return { watchpost_backup: 1, ...body };
  } catch (error) {
    unlock?.();
    if (unlock !== undefined) removeFolder(unfinished);
    throw explained(error, `the backup ${JSON.stringify(folder)} cannot be written`);
  }
}

function assertFree(folder: string): void {
  if (existsSync(folder))
    throw new Conflict(
      `there is a ${JSON.stringify(folder)} already: name a folder that is not there yet`,
    );
  if (!existsSync(dirname(folder)))
    throw new NotFound(`there is no folder ${JSON.stringify(dirname(folder))}: make it first`);
}

/** The key as it is known: a backup never makes one. */
function openSealer(settings: BackupSettings): Sealer {
  const { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: given } = settings;
  const [isEmbedded, path] = [
    settings.WATCHPOST_DATABASE_URL === undefined,
    join(directory, KEY_FILE),
  ];
  if (isEmbedded && !existsSync(join(directory, DATABASE_FILE)))
    throw new NotFound(
      `there is no ${join(directory, DATABASE_FILE)}: set WATCHPOST_DATA to the data folder of an installation that was started before`,
    );
  if (given === undefined && !existsSync(path))
    throw new NotFound(
      `there is no ${path}, without which nothing that is sealed can be read again: set WATCHPOST_INSTANCE_KEY, or see "The key is lost" in docs/worst-day.md`,
    );
  return createSealer(loadInstanceKey(settings));
}

/** Creates the folder of an incomplete backup, or takes over an abandoned one; returns the function that ends the claim. */
function claim(unfinished: string, folder: string): () => void {
  let lock: Disposable & { readonly close: () => void };
  try {
    lock = lockFolder(unfinished);
  } catch (error) {
    if (codeOf(error) === "conflict")
      throw new Conflict(`a backup to ${JSON.stringify(folder)} is being made already`, {
        cause: error,
      });
    throw error instanceof Error && error.cause !== undefined
      ? explained(error.cause, `the backup ${JSON.stringify(folder)} cannot be written`)
      : error;
  }
  for (const name of readdirSync(unfinished))
    if (!name.startsWith("lock")) rmSync(join(unfinished, name), { recursive: true });
  let isLocked = true;
  return () => {
    if (isLocked) lock.close();
    isLocked = false;
    rmSync(join(unfinished, "lock"), { force: true });
  };
}

interface Source {
  readonly settings: BackupSettings;
  readonly sealer: Sealer;
}

async function copyInstallation(
  { settings, sealer }: Source,
  unfinished: string,
  progress: Progress,
): Promise<Taken> {
  const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = settings;
  if (url !== undefined) {
    const { readPostgresSnapshot } = await import("../../store/postgres/copy-end.ts");
    return readPostgresSnapshot({ url, sealer }, async (source, { at, isInUse }) => {
      await copyRows(source, { sealer, unfinished }, progress);
      return { engine: "postgresql", taken_at: textOf(at), in_use: isInUse, rows: undefined };
    });
  }
  const source = join(directory, DATABASE_FILE);
  assertRoom(unfinished, databaseBytes(source));
  const inUse = await isServiceRunning(directory);
  const at = systemClock.now();
  const rows = await copySnapshot({ source, target: join(unfinished, DATABASE_FILE) }, progress);
  return { engine: "embedded", taken_at: textOf(at), in_use: inUse, rows };
}

/** Another engine's rows become an embedded database, so that a backup of either is restored to either. */
async function copyRows(
  source: CopyEnd,
  { sealer, unfinished }: { readonly sealer: Sealer; readonly unfinished: string },
  progress: Progress,
): Promise<void> {
  const folder = join(unfinished, "copy");
  const target = openSqliteEnd(folder, sealer);
  try {
    await copyStore({ source, target: withProgress(target, progress) }, ({ name }) =>
      progress(`comparing ${name}`, 1),
    );
  } finally {
    await target.close();
  }
  renameSync(join(folder, DATABASE_FILE), join(unfinished, DATABASE_FILE));
  removeFolder(folder);
}

/** Reports progress by table, because table sizes are not known in advance. */
export function withProgress(target: CopyEnd, progress: Progress): CopyEnd {
  return {
    ...target,
    insert(connection, page) {
      progress(`copying ${page.table}`, 0);
      return target.insert(connection, page);
    },
    append(results) {
      progress("copying results", 0);
      return target.append(results);
    },
  };
}

async function isServiceRunning(directory: string): Promise<boolean> {
  try {
    await callService(directory)({ method: "GET", path: "/accounts" }, z.unknown());
    return true;
  } catch (error) {
    return !isNotRunning(error);
  }
}

function assertSame(there: RowCounts | undefined, here: RowCounts): void {
  for (const [table, rows] of Object.entries(there ?? {}))
    if (here[table] !== rows)
      throw new Unavailable(
        `the copy differs in ${table}: ${rows} rows in the installation, ${here[table] ?? "none"} in the copy`,
      );
}

function writeKey({ WATCHPOST_DATA: directory }: BackupSettings, folder: string): void {
  const key = loadInstanceKey({
    WATCHPOST_DATA: directory,
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_DATABASE_URL: undefined,
  });
  writeFileSync(join(folder, KEY_FILE), `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600 });
}

/** Gives it its final name, once it is complete and on disk. */
function finish(unfinished: string, folder: string): void {
  settleFolder(unfinished);
  renameSync(unfinished, folder);
  syncPath(dirname(folder));
}

function nameOf(migration: { readonly number: number; readonly name: string } | undefined): string {
  return `${String(migration?.number ?? 0).padStart(4, "0")}-${migration?.name ?? ""}`;
}

function textOf(at: number): string {
  return new Date(at).toISOString();
}
