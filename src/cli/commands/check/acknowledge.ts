import type { Command } from "commander";

import { createApiClient, withApiOptions, type ApiOptions } from "../../api-client.ts";
import type { CommandContext } from "../../command-context.ts";
import { createRecordNames } from "../../derived/record-names.ts";

interface Options extends ApiOptions {
  readonly by?: string;
  readonly note?: string;
  readonly withdraw?: boolean;
}

export function addCheckAcknowledge(parent: Command, context: CommandContext): void {
  const command = parent
    .command("acknowledge")
    .summary("say that somebody sees to a check that is down")
    .description(
      "Acknowledges the outage of a check: until it is up again nobody is reminded of it, and no alert is sent whose delay is not over. Those who were alerted are notified who sees to it.",
    )
    .argument("<id>", "the id of the check, or its label where only one has it")
    .option("--by <name>", "who sees to it (default: the name of the account)")
    .option("--note <text>", "what those who were alerted should know")
    .option("--withdraw", "withdraw the acknowledgement: reminders and later alerts go on");
  withApiOptions(command)
    .addHelpText(
      "after",
      '\nExample:\n  $ ./watchpost check acknowledge 202601051200ABCDE-0J2HSIRF --by Ann --note "a disk is full"',
    )
    .action(async (id: string, { by, note, withdraw = false, ...options }: Options) => {
      const api = createApiClient(context, options);
      await createRecordNames(context, options).withId("checks", id, (found) =>
        api("POST", "checks/acknowledge", {
          id: found,
          acknowledge: !withdraw,
          ...(by !== undefined && { by }),
          ...(note !== undefined && { note }),
        }),
      );
      context.print(withdraw ? "No longer acknowledged.\n" : "Acknowledged.\n");
    });
}
