import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";

import type { Secret } from "../../kit/crypto/secret.ts";
import { systemClock } from "../../kit/clock.ts";
import { Conflict, Unavailable } from "../../kit/errors.ts";
import { createPrivateFolder } from "../../kit/private-folder.ts";
import type { CopyEnd } from "../../store/copy/copy-end.ts";
import { lockFolder, openDatabase } from "../../store/sqlite/open-database.ts";
import type { Progress } from "../../store/backup/snapshot.ts";
import {
  assertRoom,
  digestFile,
  explained,
  removeFolder,
  settleFolder,
  syncPath,
} from "./backup-files.ts";
import type { BackupSettings } from "./make-backup.ts";
import { DATABASE_FILE, KEY_FILE, type Manifest } from "./manifest.ts";

/** The data folder of a restore, which no service can use before it is closed. */
export interface RestoreTarget {
  /** Copies the database of a backup next to the existing one, and returns the folder. */
  readonly stage: (backup: string, manifest: Manifest, progress: Progress) => Promise<string>;
  /** Makes what is staged the database of the place. */
  readonly installDatabase: () => void;
  /** Writes the key, where the settings do not give it. */
  readonly installKey: () => void;
  /** The folder with what was replaced. */
  readonly kept: () => string | undefined;
  readonly close: () => void;
}

interface Wish {
  readonly replace: boolean;
  /** Undefined if the settings have it. */
  readonly key: Secret | undefined;
}

/** Throws Conflict if a service runs on the data folder, or if it has an installation and `replace` is not set. */
export function claimRestoreTarget(
  settings: BackupSettings,
  { replace, key }: Wish,
): RestoreTarget {
  const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = settings;
  const lock = lockFolder(directory);
  giveToOwner(directory, join(directory, "lock"));
  const staging = join(directory, "restoring");
  const kept = join(directory, `replaced-${stampOf(systemClock.now())}`);
  const own = installationIn(directory, key).filter(
    (name) => url === undefined || name === KEY_FILE,
  );
  let isKept = false;
  const close = (): void => {
    removeFolder(staging);
    lock.close();
  };
  if (own.length > 0 && !replace) {
    close();
    throw new Conflict(
      `the data folder ${JSON.stringify(directory)} has an installation already (${own.join(", ")}): restore into another (WATCHPOST_DATA), or add --replace, which keeps what is there in a folder beside it`,
    );
  }
  const keep = (): void => {
    if (isKept || own.length === 0) return;
    isKept = true;
    endLog(directory);
    createPrivateFolder(kept);
    for (const name of installationIn(directory, key))
      copyByLink(join(directory, name), join(kept, name));
    settleFolder(kept);
    giveToOwner(directory, kept);
  };
  return {
    async stage(backup, { files }, progress) {
      removeFolder(staging);
      createPrivateFolder(staging);
      const file = files.find(({ name }) => name === DATABASE_FILE);
      try {
        // The copy also has a log while due items are settled.
        assertRoom(directory, (file?.bytes ?? 0) * 1.2);
        const copied = await digestFile(
          join(backup, DATABASE_FILE),
          (share) => progress("copying", share),
          join(staging, DATABASE_FILE),
        );
        if (copied.sha256 !== file?.sha256)
          throw new Unavailable("the backup changed while it was read: restore it again");
        return staging;
      } catch (error) {
        throw explained(error, `the data folder ${JSON.stringify(directory)} cannot be written`);
      }
    },
    installDatabase() {
      keep();
      for (const name of ["-wal", "-shm", "-journal"])
        rmSync(join(directory, `${DATABASE_FILE}${name}`), { force: true });
      const staged = join(staging, DATABASE_FILE);
      chmodSync(staged, 0o600);
      syncPath(staged);
      // Between the key and the database a start refuses what is there, and makes nothing new.
      writeKey(directory, key);
      renameSync(staged, join(directory, DATABASE_FILE));
      giveToOwner(directory, join(directory, DATABASE_FILE));
      syncPath(directory);
    },
    installKey() {
      if (url === undefined) return;
      keep();
      writeKey(directory, key);
      syncPath(directory);
    },
    kept: () => (isKept ? kept : undefined),
    close,
  };
}

/** Throws Conflict where a service runs on a database on a server. */
export async function assertUnused(target: Pick<CopyEnd, "isInUse">): Promise<void> {
  if (await target.isInUse())
    throw new Conflict(
      "a service runs on the database that WATCHPOST_DATABASE_URL names: stop every process of it first",
    );
}

/** The files of an installation, without a key that is the same as the one that comes. */
function installationIn(directory: string, key: Secret | undefined): readonly string[] {
  return readdirSync(directory).filter(
    (name) =>
      /^watchpost\.db(?:-wal|-shm|-journal)?$/.test(name) ||
      (name === KEY_FILE &&
        key !== undefined &&
        readFileSync(join(directory, name), "utf8").trim() !== key.reveal()),
  );
}

/** Moves the log's content into the kept database; a damaged one is kept unchanged. */
function endLog(directory: string): void {
  const path = join(directory, DATABASE_FILE);
  if (!existsSync(path)) return;
  try {
    const database = openDatabase(path);
    database.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  } catch {
    // Its log is kept next to it.
  }
}

/** Not every file system has links. */
function copyByLink(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function writeKey(directory: string, key: Secret | undefined): void {
  if (key === undefined) return;
  const [path, unfinished] = [join(directory, KEY_FILE), join(directory, "restoring", KEY_FILE)];
  writeFileSync(unfinished, `${key.reveal()}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
  giveToOwner(directory, path);
}

/** Files restored by root must belong to the service's user, who owns the folder. */
function giveToOwner(directory: string, path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  chownSync(path, uid, gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownSync(join(path, name), uid, gid);
}

function stampOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-11-23T07:10:00".length).replaceAll(":", "-");
}
