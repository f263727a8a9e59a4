import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";
import { createNatsUser, serviceUserLine } from "../nats-user.ts";
import { createForOwner } from "../write-for-owner.ts";

export function addNatsUserCreate(parent: Command, context: CommandContext): void {
  parent
    .command("create")
    .summary("make the service's credentials for the NATS server")
    .description(
      "Makes the seed with which the service signs in to the NATS server, in a file of settings that only you can read. Prints the line for the configuration of the NATS server.",
    )
    .option("--output <file>", "the file to create", "nats.env")
    .addHelpText("after", "\nExample:\n  $ ./watchpost nats-user create")
    .action(async ({ output }: { readonly output: string }) => {
      const { seed, publicKey } = createNatsUser();
      await createForOwner(output, `WATCHPOST_NATS_NKEY=${seed}\n`);
      context.print(`${serviceUserLine(publicKey)}\n`);
      context.printError(
        `Add that line to the users of the NATS server, and reload it. Move the setting in ${output} to watchpost.env, next to WATCHPOST_NATS_URL.\n`,
      );
    });
}
