import type { Command } from "commander";

import { byteSize } from "../../kit/files/byte-size.ts";
import type { CommandContext } from "../command-context.ts";
import { countsOf } from "../backup-report.ts";

export function addBackup(parent: Command, context: CommandContext): void {
  parent
    .command("backup")
    .description(
      "Copies everything that the installation of the settings keeps into a new folder, as it is at one instant, with the instance key: from the data folder or from PostgreSQL, whether or not the service runs. The copy is read again and compared before the folder gets its name.",
    )
    .argument("<folder>", "where the backup is to be; must not exist")
    .addHelpText(
      "after",
      `
Example:
  $ ./watchpost backup /var/backups/watchpost-$(date +%F)`,
    )
    .action(async (folder: string) => {
      const made = await context.backup(folder);
      const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
      context.print(
        `The backup ${JSON.stringify(folder)} is whole: ${byteSize(bytes)}, with ${countsOf(made.rows)}, as of ${made.taken_at}.\n`,
      );
      if (made.key === "setting")
        context.printError(
          "It is without the instance key, which WATCHPOST_INSTANCE_KEY gives: keep that safe as well, for nothing that is sealed can be read without it.\n",
        );
      else
        context.printError(
          "It has the instance key: whoever reads it reads the credentials of checks and contacts.\n",
        );
    });
}
