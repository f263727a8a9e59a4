import type { Command } from "commander";
import { z } from "zod";

import { createApiClient, parseResponse, withApiOptions } from "../api-client.ts";
import type { ApiOptions } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import type { CommandContext } from "../command-context.ts";
import { formatTable } from "../table.ts";

const tested = z.object({
  success: z.boolean(),
  addresses: z.record(
    z.string(),
    z.object({
      type: z.string(),
      address: z.string(),
      accepted: z.boolean(),
      response: z.string(),
      runtime: z.number().optional(),
    }),
  ),
});

export function addContactTest(parent: Command, context: CommandContext): void {
  const command = parent
    .command("test")
    .summary("send a test message to each address of a contact")
    .description(
      "Sends a test message to each address of a contact, calls included, and shows the responses. Fails unless all were accepted.",
    )
    .argument("<id>", "the id of the contact, from contact list")
    .option("--json", "print the response of the API");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost contact test 202601051200ABCDE-BQ5DC")
    .action(async (id: string, options: ApiOptions & { readonly json?: boolean }) => {
      const answer = await createApiClient(context, options)("POST", "contacts", {
        action: "TEST",
        id,
      });
      const { success, addresses } = parseResponse(tested, answer);
      if (options.json === true) context.print(`${JSON.stringify(answer, undefined, 2)}\n`);
      else
        context.print(
          formatTable([["TYPE", "ADDRESS", "ACCEPTED", "TIME", "RESPONSE"], ...rowsOf(addresses)]),
        );
      if (!success) throw new CommandError("not every test message was accepted");
    });
}

function rowsOf(addresses: z.output<typeof tested>["addresses"]): readonly (readonly string[])[] {
  return Object.values(addresses).map(({ type, address, accepted, response, runtime }) => [
    type,
    address,
    accepted ? "yes" : "no",
    runtime === undefined ? "" : `${runtime} ms`,
    response,
  ]);
}
