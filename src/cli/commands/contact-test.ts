import type { Command } from "commander";

import { isRecord } from "../../kit/safe-json.ts";
import { createApiClient, withApiOptions, type ApiOptions } from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { cellOf } from "../derived/columns.ts";
import { printJson, printRows } from "../derived/print-answer.ts";
import { createRecordNames } from "../derived/record-names.ts";

export function addContactTest(parent: Command, context: CommandContext): void {
  const command = parent
    .command("test")
    .summary("send a test message to each address of a contact")
    .description(
      "Sends a test message to each address of a contact, calls included, and shows the responses. Fails unless all were accepted.",
    )
    .argument("<id>", "the id of the contact, or its name where only one has it")
    .option("--json", "print the response of the API");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost contact test 202601051200ABCDE-BQ5DC")
    .action(async (given: string, options: ApiOptions & { readonly json?: boolean }) => {
      const api = createApiClient(context, options);
      const answer = await createRecordNames(context, options).withId("contacts", given, (id) =>
        api("POST", "contacts", { action: "TEST", id }),
      );
      if (options.json === true) printJson(answer, context);
      else
        printRows(
          [["TYPE", "ADDRESS", "ACCEPTED", "TIME", "RESPONSE"], ...rowsOf(answer.addresses)],
          context,
        );
      if (answer.success !== true) throw new CommandError("not every test message was accepted");
    });
}

function rowsOf(addresses: unknown): readonly (readonly string[])[] {
  const all = isRecord(addresses) ? Object.values(addresses).filter(isRecord) : [];
  return all.map(({ type, address, accepted, response, runtime }) => [
    cellOf(type),
    cellOf(address),
    cellOf(accepted === true),
    runtime === undefined ? "" : `${cellOf(runtime)} ms`,
    cellOf(response),
  ]);
}
