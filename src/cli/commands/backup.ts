import type { Command } from "commander";

import { byteSize } from "../../kit/byte-size.ts";
import { countsOf } from "../backup-report.ts";
import {
  CommandError,
  type BackupMade,
  type BackupStored,
  type CommandContext,
  type StoredBackup,
} from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";
import { createForOwner } from "../write-for-owner.ts";

const placeText = "a folder, or s3://bucket/prefix (default: WATCHPOST_BACKUP_TO)";

export function addBackup(parent: Command, context: CommandContext): void {
  const backup = parent
    .command("backup")
    .description(
      "Copies everything that the installation of the settings keeps, as it is at one instant, with the instance key: from the data folder or from PostgreSQL, whether or not the service runs. The copy is read again and compared. Without a folder it is stored as one file in the place of WATCHPOST_BACKUP_TO, encrypted for WATCHPOST_BACKUP_RECIPIENT, and older backups are deleted as WATCHPOST_BACKUP_KEEP says.",
    )
    .argument("[folder]", "a new folder for the backup, unencrypted")
    .option("--to <place>", `where to store it: ${placeText}`)
    .option("--json", "print a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost backup
  $ ./watchpost backup /var/backups/watchpost-$(date +%F)`,
    )
    .action(async (folder: string | undefined, { to, json = false }: BackupOptions) => {
      if (folder === undefined) return printStored(await context.storeBackup(to), json, context);
      if (to !== undefined) throw new CommandError("give either a folder, or --to");
      const made = await context.backup(folder);
      if (json) context.print(`${JSON.stringify({ folder, taken_at: made.taken_at })}\n`);
      else printMade(folder, made, context);
    });
  addList(backup, context);
  addVerify(backup, context);
  addKey(backup, context);
}

interface BackupOptions {
  readonly to?: string;
  readonly json?: boolean;
}

function printMade(folder: string, made: BackupMade, context: CommandContext): void {
  const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
  context.print(
    `The backup ${JSON.stringify(folder)} is whole: ${byteSize(bytes)}, with ${countsOf(made.rows)}, as of ${made.taken_at}.\n`,
  );
  context.printError(
    made.key === "setting"
      ? withoutKey
      : "It has the instance key: whoever reads it reads the credentials of checks and contacts.\n",
  );
}

const withoutKey =
  "It is without the instance key, which WATCHPOST_INSTANCE_KEY gives: keep that safe as well, for nothing that is sealed can be read without it.\n";

function printStored(
  { manifest, place, backup, removed, seconds }: BackupStored,
  json: boolean,
  context: CommandContext,
): void {
  const { name, bytes, isEncrypted } = backup;
  if (json) {
    const { taken_at } = manifest;
    const deleted = removed.map((each) => each.name);
    context.print(`${JSON.stringify({ place, name, bytes, taken_at, seconds, deleted })}\n`);
    return;
  }
  context.print(
    `Stored ${name} in ${place}: ${byteSize(bytes)}, with ${countsOf(manifest.rows)}, as of ${manifest.taken_at}.\n`,
  );
  for (const each of removed) context.print(`Deleted ${each.name}.\n`);
  if (manifest.key === "setting") context.printError(withoutKey);
  else if (!isEncrypted)
    context.printError(
      "It is not encrypted and has the instance key: anyone who can read it can read the credentials of checks and contacts.\n",
    );
}

function addList(parent: Command, context: CommandContext): void {
  parent
    .command("list")
    .description("list the stored backups, oldest first")
    .option("--from <place>", `where they are: ${placeText}`)
    .option("--json", "print a line of JSON for each")
    .action(async ({ from, json = false }: { readonly from?: string; readonly json?: boolean }) => {
      const { place, backups } = await context.listBackups(from);
      if (json) {
        for (const each of backups) context.print(`${JSON.stringify(rowOf(each))}\n`);
        return;
      }
      if (backups.length === 0) {
        context.printError(`There are no backups in ${place} yet.\n`);
        return;
      }
      const heads = ["NAME", "TAKEN AT", "SIZE", "ENCRYPTED", "INSTALLATION"];
      const rows = backups.map(({ name, at, bytes, isEncrypted, installation }) => [
        name,
        formatTime(at),
        byteSize(bytes),
        isEncrypted ? "yes" : "no",
        installation,
      ]);
      context.print(formatTable([heads, ...rows], { columns: context.terminal.columns }));
    });
}

function rowOf({ name, bytes, installation, at, isEncrypted }: StoredBackup) {
  const taken_at = new Date(at).toISOString();
  return { name, taken_at, bytes, encrypted: isEncrypted, installation };
}

function addVerify(parent: Command, context: CommandContext): void {
  parent
    .command("verify")
    .description(
      "Reads a whole backup, decrypts it and checks its database, without restoring it. Fails where it could not be restored.",
    )
    .argument("[backup]", 'a name of "backup list", a folder or a file', "latest")
    .option("--from <place>", `where it is: ${placeText}`)
    .option("--key-file <path>", "a file with its secret key (default: WATCHPOST_BACKUP_KEY)")
    .action(
      async (backup: string, options: { readonly from?: string; readonly keyFile?: string }) => {
        const { name, manifest } = await context.verifyBackup({ backup, ...options });
        context.print(
          `${name} can be restored: ${countsOf(manifest.rows)}, as of ${manifest.taken_at}.\n`,
        );
        if (manifest.key === "setting") context.printError(withoutKey);
      },
    );
}

function addKey(parent: Command, context: CommandContext): void {
  parent
    .command("key")
    .description(
      "Makes a pair of keys for backups, in the format of age. Writes the secret key into a new file, and prints the public key for WATCHPOST_BACKUP_RECIPIENT.",
    )
    .requiredOption("--output <file>", "a new file for the secret key")
    .action(async ({ output: file }: { readonly output: string }) => {
      const { identity, recipient } = await context.makeBackupKey();
      await createForOwner(file, `# public key: ${recipient}\n${identity.reveal()}\n`);
      context.print(`${recipient}\n`);
      context.printError(
        `The secret key is in ${JSON.stringify(file)}: keep it, and a copy of it, away from this machine. Without it no backup can be restored.\n`,
      );
    });
}
