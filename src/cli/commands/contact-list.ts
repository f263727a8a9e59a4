import type { Command } from "commander";

import { isRecord } from "../../kit/safe-json.ts";
import {
  createApiClient,
  withApiOptions,
  type ApiOptions,
  type JsonObject,
} from "../api-client.ts";
import type { CommandContext } from "../command-context.ts";
import { cellOf } from "../derived/columns.ts";
import {
  addFilterOptions,
  filtered,
  unknownValues,
  type GivenFilters,
} from "../derived/list-filters.ts";
import { printJson, printRows } from "../derived/print-answer.ts";

const KEY = "contacts list";

interface Options extends ApiOptions, Pick<GivenFilters, "type"> {
  readonly json?: boolean;
}

export function addContactList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .summary("list contacts with their addresses")
    .description("Lists the contacts of an account, with the reason for each refused address.")
    .option("--json", "the records as JSON, by id");
  addFilterOptions(command, KEY);
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost contact list")
    .action(async ({ json = false, type, ...options }: Options) => {
      const all = await createApiClient(context, options)("GET", "contacts");
      const contacts = filtered(all, KEY, { type });
      for (const sentence of unknownValues(all, KEY, { type })) context.printError(`${sentence}\n`);
      if (json) return printJson(contacts, context);
      const rows = Object.values(contacts).filter(isRecord).flatMap(rowsOf);
      printRows([["ID", "NAME", "TYPE", "ADDRESS", "STATUS"], ...rows], context);
    });
}

function rowsOf({ _id, name, addresses }: JsonObject): readonly (readonly string[])[] {
  const all = isRecord(addresses) ? Object.values(addresses).filter(isRecord) : [];
  const rows = all.map((entry) => [cellOf(entry.type), cellOf(entry.address), standingOf(entry)]);
  const [first = ["", "", ""], ...others] = rows;
  return [[cellOf(_id), cellOf(name), ...first], ...others.map((row) => ["", "", ...row])];
}

/** Why the address gets no alerts; empty if it does. */
function standingOf({ status, refusal, suppressall, mute = false }: JsonObject): string {
  const refused = isRecord(refusal)
    ? [`${cellOf(status)} since ${cellOf(refusal.at)}: ${cellOf(refusal.reason)}`]
    : [];
  const muted = mute === true ? "muted" : `muted until ${cellOf(mute)}`;
  return [
    ...refused,
    ...(suppressall === true ? ["all alerts suppressed"] : []),
    ...(mute === false ? [] : [muted]),
  ].join("; ");
}
