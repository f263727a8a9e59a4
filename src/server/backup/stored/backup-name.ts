import { createHash } from "node:crypto";

/** Parsed name of a stored backup. */
export interface BackupName {
  readonly name: string;
  /** Distinguishes the installations that store backups in one place. */
  readonly installation: string;
  /** The instant of the backup, in ms since the epoch. */
  readonly at: number;
  readonly isEncrypted: boolean;
}

const form =
  /^watchpost-(?<installation>[0-9a-f]{8})-(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)Z\.tar\.gz(?<age>\.age)?$/;

/** Prefix of all backup names. */
export const NAME_PREFIX = "watchpost-";

/** An installation by its key: it is the same after a restore on another machine. */
export function installationOf(key: Uint8Array): string {
  return createHash("sha256").update("watchpost backup").update(key).digest("hex").slice(0, 8);
}

export function backupNameOf({
  installation,
  at,
  isEncrypted,
}: Omit<BackupName, "name">): BackupName {
  const stamp = new Date(at).toISOString().replaceAll(/[:-]|\.\d+/g, "");
  const name = `${NAME_PREFIX}${installation}-${stamp}.tar.gz${isEncrypted ? ".age" : ""}`;
  return { name, installation, at: Math.floor(at / 1000) * 1000, isEncrypted };
}

/** Undefined for a file that is not a backup. */
export function parseBackupName(name: string): BackupName | undefined {
  const found = form.exec(name)?.groups;
  if (found === undefined) return undefined;
  const { year, month, day, hour, minute, second } = found;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at)) return undefined;
  const isEncrypted = found["age"] !== undefined;
  return { name, installation: found["installation"] ?? "", at, isEncrypted };
}
