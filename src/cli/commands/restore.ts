import type { Command } from "commander";

import { countsOf } from "../backup-report.ts";
import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly replace?: boolean;
  readonly from?: string;
  readonly keyFile?: string;
}

export function addRestore(parent: Command, context: CommandContext): void {
  parent
    .command("restore")
    .description(
      "Puts a backup into the data folder of the settings, or into the database that they name on PostgreSQL, from whichever of both it is. Stop the service first. A stored backup is downloaded and decrypted first. Everything is verified before anything is changed.",
    )
    .argument(
      "<backup>",
      'a folder that "watchpost backup" made, a file, a name of "watchpost backup list", or "latest" for the newest of these',
    )
    .option(
      "--from <place>",
      "where stored backups are: a folder, or s3://bucket/prefix (default: WATCHPOST_BACKUP_TO)",
    )
    .option("--key-file <path>", "a file with its secret key (default: WATCHPOST_BACKUP_KEY)")
    .option(
      "--replace",
      "replace the installation in the data folder; it is kept in a folder replaced-<time> there",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost restore latest --key-file watchpost-backup.key
  $ ./watchpost restore /var/backups/watchpost-2026-11-23`,
    )
    .action(async (backup: string, { replace = false, ...options }: Options) => {
      const restored = await context.restore({ backup, replace, ...options });
      const { name, manifest, settled, kept } = restored;
      context.print(
        `Restored ${JSON.stringify(name)}, as of ${manifest.taken_at}: ${countsOf(manifest.rows)}.\n`,
      );
      if (kept !== undefined)
        context.printError(`What was there before is in ${JSON.stringify(kept)}.\n`);
      context.printError(whatFollows(settled));
    });
}

function whatFollows(
  settled: { readonly alerts: number; readonly mails: number } | undefined,
): string {
  const start =
    "Start the service: each check runs its latest tick at once, and what it finds is alerted as usual.";
  if (settled === undefined)
    return `${start} What was waiting to be sent is sent, for the backup is less than an hour old and no service ran when it was made.\n`;
  const { alerts, mails } = settled;
  return `${start} What was due before is not sent (alerts: ${alerts}, other mails: ${mails}). Tokens and passwords are those of the backup: revoke again what was revoked since.\n`;
}
