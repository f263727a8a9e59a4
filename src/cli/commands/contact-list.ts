import type { Command } from "commander";
import { z } from "zod";

import { createApiClient, parseResponse, withApiOptions } from "../api-client.ts";
import type { ApiOptions } from "../api-client.ts";
import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";

const address = z.object({
  type: z.string(),
  address: z.string(),
  status: z.string(),
  refusal: z.object({ at: z.number(), reason: z.string() }).optional(),
  suppressall: z.boolean().default(false),
  mute: z.union([z.boolean(), z.number()]).default(false),
});

export const contactResponse = z.object({
  _id: z.string(),
  name: z.string(),
  addresses: z.record(z.string(), address).default({}),
});

export function addContactList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .summary("list contacts with their addresses")
    .description("Lists the contacts of an account, with the reason for each refused address.")
    .option("--json", "the records as JSON, by id");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost contact list")
    .action(async ({ json = false, ...options }: ApiOptions & { readonly json?: boolean }) => {
      const contacts = await createApiClient(context, options)("GET", "contacts");
      if (json) return context.print(`${JSON.stringify(contacts, undefined, 2)}\n`);
      const rows = Object.values(contacts).flatMap((record) =>
        rowsOf(parseResponse(contactResponse, record)),
      );
      context.print(formatTable([["ID", "NAME", "TYPE", "ADDRESS", "STATUS"], ...rows]));
    });
}

function rowsOf({
  _id,
  name,
  addresses,
}: z.output<typeof contactResponse>): readonly (readonly string[])[] {
  const rows = Object.values(addresses).map((entry) => [
    entry.type,
    entry.address,
    standingOf(entry),
  ]);
  const [first = ["", "", ""], ...others] = rows;
  return [[_id, name, ...first], ...others.map((row) => ["", "", ...row])];
}

/** Why the address gets no alerts; empty if it does. */
function standingOf({ status, refusal, suppressall, mute }: z.output<typeof address>): string {
  return [
    ...(refusal === undefined
      ? []
      : [`${status} since ${formatTime(refusal.at)}: ${refusal.reason}`]),
    ...(suppressall ? ["all alerts suppressed"] : []),
    ...(mute === false ? [] : [mute === true ? "muted" : `muted until ${formatTime(mute)}`]),
  ].join("; ");
}
