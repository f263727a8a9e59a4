import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly from: string;
  readonly to: string;
}

export function addStoreCopy(parent: Command, context: CommandContext): void {
  parent
    .command("copy")
    .summary("copy an installation from one database to another")
    .description(
      "Copies everything that an installation keeps into an empty database, and compares both row by row. Stop the service first. A copy that was interrupted goes on where it was when the same command is run again, and no service runs on it before it is whole.",
    )
    .requiredOption("--from <place>", "where the installation is")
    .requiredOption("--to <place>", "where it is to be")
    .addHelpText(
      "after",
      `
A place is one of:
  embedded      the data folder of the settings (WATCHPOST_DATA)
  postgresql    the database of the settings (WATCHPOST_DATABASE_URL)
  a data folder, or a URL such as postgres://user:password@db.example.com:5432/watchpost

Example:
  $ ./watchpost store copy --from embedded --to postgresql`,
    )
    .action(async (places: Options) => {
      const { keyFolder } = await context.copyStore(places, ({ name, rows }) =>
        context.print(`${name}: ${rows} the same at both ends\n`),
      );
      context.printError(
        keyFolder === undefined
          ? "The copy is whole. It has the same instance key: that of WATCHPOST_INSTANCE_KEY.\n"
          : `The copy is whole. It has the same instance key, which is in ${JSON.stringify(keyFolder)}: give it to the service as WATCHPOST_INSTANCE_KEY, or copy the file instance.key into its data folder.\n`,
      );
    });
}
