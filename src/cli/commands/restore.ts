import type { Command } from "commander";

import { countsOf } from "../backup-report.ts";
import type { CommandContext } from "../command-context.ts";

export function addRestore(parent: Command, context: CommandContext): void {
  parent
    .command("restore")
    .description(
      "Puts a backup into the data folder of the settings, or into the database that they name on PostgreSQL, from whichever of both it is. Stop the service first. Everything is verified before anything is changed.",
    )
    .argument("<folder>", 'what "watchpost backup" made')
    .option(
      "--replace",
      "replace the installation in the data folder; it is kept in a folder replaced-<time> there",
    )
    .addHelpText(
      "after",
      `
Example:
  $ ./watchpost restore /var/backups/watchpost-2026-11-23`,
    )
    .action(async (folder: string, { replace = false }: { readonly replace?: boolean }) => {
      const { manifest, settled, kept } = await context.restore({ folder, replace });
      context.print(
        `Restored ${JSON.stringify(folder)}, as of ${manifest.taken_at}: ${countsOf(manifest.rows)}.\n`,
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
