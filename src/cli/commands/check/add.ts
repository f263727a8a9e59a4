import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../../api-client.ts";
import type { ApiOptions, JsonObject } from "../../api-client.ts";
import { assignedParameters } from "../../assigned-parameters.ts";
import { checkTypes, resources } from "../../catalogue/catalogue.ts";
import type { CommandContext } from "../../command-context.ts";
import { assertParamsKnown, parseNotify, parseParam } from "../../derived/operation-options.ts";
import { createRecordNames } from "../../derived/record-names.ts";
import { withIds } from "../../derived/references.ts";

interface Options extends ApiOptions {
  readonly type: string;
  readonly target?: string;
  readonly label?: string;
  readonly interval?: string;
  readonly enabled?: true;
  readonly notify?: readonly JsonObject[];
  readonly param?: JsonObject;
  readonly json?: boolean;
}

export function addCheckAdd(parent: Command, context: CommandContext): void {
  const command = parent
    .command("add")
    .summary("create a check")
    .description(
      "Creates a check and prints its id. It runs only with --enabled. For a PUSH check the token is printed too. A page at https:// fails for a certificate that is not trusted, or ends within 14 days, unless --param says otherwise.",
    )
    .requiredOption("--type <type>", "the type, such as HTTP; see docs/check-types.md")
    .option("--target <target>", "the URL or host")
    .option("--label <text>", "the name that is displayed (default: the target)")
    .option("--interval <minutes>", "minutes between runs (default: 15)")
    .option("--enabled", "run it from now on (default: disabled)")
    .option(
      "--notify <id>=<schedule>[:<delay>]",
      "the recipient of alerts: a contact, address, group or profile by id or name, its schedule (default: All), and a delay in minutes. Repeatable",
      parseNotify,
    )
    .option(
      "--param <name>=<value>",
      "any other parameter; the value is parsed as JSON if possible, otherwise it is text. Repeatable",
      parseParam,
    )
    .option("--json", "print the whole record as JSON");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost check add --type HTTP --target https://example.com/ --interval 1 --enabled
  $ ./watchpost check add --type PORT --target db.example.com --param port=5432 --notify <id>=Days:5 --enabled
  $ ./watchpost check add --type PUSH --label Backup --interval 1440 --enabled \\
      --param oldresultfail=true --param 'fields={"size":{"name":"backup.gigabytes","min":1}}'`,
    )
    .action(async ({ json = false, ...options }: Options) => {
      assertParamsKnown(options, {
        fields: Object.keys(resources.checks?.operations.POST?.parameters ?? {}),
        refuse: (message) => command.error(`error: --param ${message}`, { exitCode: 2 }),
      });
      const api = createApiClient(context, options);
      const defaults = certificateDefaults(options);
      const sent = await withIds(parametersOf(options), createRecordNames(context, options));
      const check = await api("POST", "checks", { ...defaults, ...sent });
      if (json) return context.print(`${JSON.stringify(check, undefined, 2)}\n`);
      context.print(`${String(check._id)}\n`);
      if (typeof check.warning === "string") context.printError(`Warning: ${check.warning}\n`);
      if (Object.keys(defaults).length > 0)
        context.printError(
          `It fails for a bad certificate (${Object.entries(defaults)
            .map(([name, value]) => `${name}=${String(value)}`)
            .join(
              ", ",
            )}), which the API does not ask for; --param verify=false --param warningdays=null leave it as it is.\n`,
        );
      for (const assigned of assignedParameters(check)) context.print(`${assigned}\n`);
    });
}

const WARNING_DAYS = 14;

/** What other monitors fail a page for, and the API only where it is asked to, for its existing clients; nothing where it is given. */
function certificateDefaults({ type, target, param = {} }: Options): JsonObject {
  const url = param.target ?? target;
  const isSecure = typeof url === "string" && /^https:/i.test(url);
  const known = checkTypes[type.toUpperCase()]?.parameters ?? {};
  if (!isSecure || !Object.hasOwn(known, "verify")) return {};
  return {
    ...(!Object.hasOwn(param, "verify") && { verify: true }),
    ...(!Object.hasOwn(param, "warningdays") && { warningdays: WARNING_DAYS }),
  };
}

function parametersOf({
  type,
  target,
  label,
  interval,
  enabled,
  notify,
  param,
}: Options): JsonObject {
  return {
    type,
    ...(target === undefined ? {} : { target }),
    ...(label === undefined ? {} : { label }),
    ...(interval === undefined ? {} : { interval }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(notify === undefined ? {} : { notifications: notify }),
    ...param,
  };
}
