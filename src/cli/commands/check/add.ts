import type { Command } from "commander";

import { createApiClient, withApiOptions, type JsonObject } from "../../api-client.ts";
import { assignedParameters } from "../../assigned-parameters.ts";
import { checkTypes, resources } from "../../catalogue/catalogue.ts";
import type { CommandContext } from "../../command-context.ts";
import {
  addParameterOptions,
  assertParamsKnown,
  parametersOf,
  type Given,
} from "../../derived/operation-options.ts";
import { printJson } from "../../derived/print-answer.ts";
import { createRecordNames } from "../../derived/record-names.ts";
import { withIds } from "../../derived/references.ts";

export function addCheckAdd(parent: Command, context: CommandContext): void {
  const operation = resources.checks?.operations.POST;
  if (operation === undefined) return;
  const command = parent
    .command("add")
    .summary("create a check")
    .description(
      "Creates a check and prints its id. It runs only with --enabled. For a PUSH check the token is printed too. A page at https:// fails for a certificate that is not trusted, or ends within 14 days, unless --param says otherwise. docs/check-types.md has the types and their parameters.",
    );
  addParameterOptions(command, { operation, resource: "checks", id: undefined });
  command.option("--json", "print the whole record as JSON");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost check add --type HTTP --target https://example.com/ --interval 1 --enabled
  $ ./watchpost check add --type PORT --target db.example.com --param port=5432 --notify Ann=Days:5 --enabled
  $ ./watchpost check add --type PUSH --label Backup --interval 1440 --enabled \\
      --param oldresultfail=true --param 'fields={"size":{"name":"backup.gigabytes","min":1}}'`,
    )
    .action(async (given: Given) => {
      const wanted = await parametersOf(given, operation, context);
      const refuse = (message: string): never =>
        command.error(`error: ${message}`, { exitCode: 2 });
      const { type } = wanted;
      if (typeof type !== "string") return refuse("required option '--type <type>' not specified");
      assertParamsKnown({ param: given.param, type }, operation, refuse);
      const defaults = certificateDefaults(type, wanted);
      const sent = await withIds(wanted, createRecordNames(context, given));
      const check = await createApiClient(context, given)("POST", "checks", {
        ...defaults,
        ...sent,
      });
      if (given.json === true) return printJson(check, context);
      printCheck(check, defaults, context);
    });
}

function printCheck(
  check: JsonObject,
  defaults: JsonObject,
  { print, printError }: CommandContext,
): void {
  print(`${String(check._id)}\n`);
  if (typeof check.warning === "string") printError(`Warning: ${check.warning}\n`);
  const added = Object.entries(defaults).map(([name, value]) => `${name}=${String(value)}`);
  if (added.length > 0)
    printError(
      `It fails for a bad certificate (${added.join(", ")}), which the API does not ask for; --param verify=false --param warningdays=null leave it as it is.\n`,
    );
  for (const assigned of assignedParameters(check)) print(`${assigned}\n`);
}

const WARNING_DAYS = 14;

/** Certificate settings as other monitors have by default; the API sets them only on request because of its existing clients. None if given. */
function certificateDefaults(type: string, wanted: JsonObject): JsonObject {
  const { target } = wanted;
  const isSecure = typeof target === "string" && /^https:/i.test(target);
  const known = checkTypes[type.toUpperCase()]?.parameters ?? {};
  if (!isSecure || !Object.hasOwn(known, "verify")) return {};
  return {
    ...(!Object.hasOwn(wanted, "verify") && { verify: true }),
    ...(!Object.hasOwn(wanted, "warningdays") && { warningdays: WARNING_DAYS }),
  };
}
