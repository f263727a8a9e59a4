import { Option, type Command } from "commander";

import {
  createApiClient,
  withApiOptions,
  type ApiOptions,
  type JsonObject,
} from "../api-client.ts";
import { readAccountTree, readConfiguration } from "../configuration/read-account.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { defaultName } from "../configuration/declare.ts";
import { declaredForm } from "../configuration/export/export-account.ts";
import { exportKeys } from "../configuration/export/export-keys.ts";
import { selectedRecords } from "../configuration/export/selection.ts";
import { readManaged } from "../configuration/managed.ts";
import { createSecretValues, type SecretValues } from "../configuration/export/secret-values.ts";
import { writeForOwner } from "../write-for-owner.ts";

interface Options extends ApiOptions {
  readonly output?: string;
  readonly subaccounts?: boolean;
  readonly format?: "yaml" | "json";
  readonly secrets?: boolean;
  readonly configuration: string;
  readonly defaults?: boolean;
  readonly tag?: readonly string[];
}

export function addExport(parent: Command, context: CommandContext): void {
  const command = parent
    .command("export")
    .description(
      "Writes settings, branding, contacts, groups, schedules, profiles, checks, maintenances and status pages of an account as a configuration for `apply`, by names and in a stable order, so that it can be kept in git. Members with their default values are left out. With names or tags only those records are written; what they refer to is named, and has to exist where they are applied. It contains no results, states and tokens. Secrets are references to environment variables, unless --secrets writes them as they are.",
    )
    .argument("[name...]", "only these records, by name, key, or id")
    .option(
      "--tag <tag>",
      "only checks with this tag; may be repeated",
      (tag: string, before: readonly string[] | undefined) => [...(before ?? []), tag],
    )
    .option("--defaults", "include members that have their default values")
    .option("--output <file>", "write to a file that only you can read (default: standard output)")
    .addOption(
      new Option(
        "--format <format>",
        "yaml or json (default: as the file is called, or yaml)",
      ).choices(["yaml", "json"]),
    )
    .option("--secrets", "include credentials as they are: protect the file accordingly")
    .option("--subaccounts", "include all subaccounts")
    .option("--configuration <name>", "the name and the keys of this configuration", defaultName);
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost export > watchpost.yaml
  $ ./watchpost export --tag shop > shop.yaml
  $ ./watchpost export "Home page" ops
  $ ./watchpost export --subaccounts --secrets --output everything.json`,
    )
    .action(async (names: readonly string[], { output, format, ...options }: Options) => {
      const { secrets: isClear = false } = options;
      const secrets = createSecretValues({ isClear });
      const document = await documentOf(context, { ...options, names }, secrets);
      const isJson = format === undefined ? /\.json$/i.test(output ?? "") : format === "json";
      const text = isJson ? `${JSON.stringify(document, undefined, 2)}\n` : await yamlOf(document);
      if (output === undefined) context.print(text);
      else {
        await writeForOwner(output, text);
        context.printError(
          `Written to ${output}. ${isClear ? "It contains credentials, and only" : "Only"} you can read it.\n`,
        );
      }
      const variables = [...secrets.variables().keys()];
      if (variables.length > 0)
        context.printError(
          `Secrets are not in it. To apply it, set ${variables.join(", ")}; or export with --secrets.\n`,
        );
    });
}

/** Characters of a list of names that stays on one line. */
const MAX_LIST_LENGTH = 80;

async function yamlOf(document: JsonObject): Promise<string> {
  const { Document, isScalar, visit } = await import("yaml");
  const written = new Document(document, { aliasDuplicateObjects: false });
  visit(written, {
    Seq(_, list) {
      const texts = list.items.map((each) => (isScalar(each) ? String(each.value) : undefined));
      const isShort = texts.every((each) => each !== undefined);
      if (isShort && texts.join(", ").length <= MAX_LIST_LENGTH) list.flow = true;
    },
  });
  return written.toString({ lineWidth: 0, flowCollectionPadding: false });
}

interface Wanted extends Omit<Options, "output" | "format" | "secrets"> {
  readonly names: readonly string[];
}

async function documentOf(
  context: CommandContext,
  {
    account,
    subaccounts: withSubaccounts = false,
    configuration: name,
    names,
    tag: tags = [],
    defaults: withDefaults = false,
    ...options
  }: Wanted,
  secrets: SecretValues,
): Promise<JsonObject> {
  if (withSubaccounts && account !== undefined)
    throw new CommandError("a subaccount has no subaccounts: omit --account or --subaccounts");
  if (withSubaccounts && names.length + tags.length > 0)
    throw new CommandError("names and --tag select records of one account: omit --subaccounts");
  const api = createApiClient(context, options);
  const { own, subaccounts } = await readAccountTree(api);
  const formOf = async (id: string): Promise<JsonObject> => {
    const configuration = await readConfiguration(api, id);
    const keys = exportKeys(configuration, await readManaged(api, id, name));
    const isWanted = selectedRecords({ names, tags }, configuration, keys);
    const isSubaccount = id !== own;
    return declaredForm(configuration, { keys, secrets, isSubaccount, isWanted, withDefaults });
  };
  const whole = { configuration: name, ...(await formOf(account ?? own)) };
  if (!withSubaccounts) return whole;
  const below: [string, JsonObject][] = [];
  const taken = new Set<string>();
  for (const [id, { name: title }] of Object.entries(subaccounts)) {
    let key = title;
    for (let number = 2; taken.has(key); number += 1) key = `${title} ${number}`;
    taken.add(key);
    below.push([key, await formOf(id)]);
  }
  const sorted = below.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...whole, ...(sorted.length > 0 && { subaccounts: Object.fromEntries(sorted) }) };
}
