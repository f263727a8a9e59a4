import { InvalidArgumentError } from "commander";
import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../api-client.ts";
import type { ApiOptions, JsonObject } from "../api-client.ts";
import { assignedParameters } from "../assigned-parameters.ts";
import type { CommandContext } from "../command-context.ts";

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

export function addCheckAdd(parent: Command, shell: CommandContext): void {
  const command = parent
    .command("add")
    .summary("make a check")
    .description(
      "Makes a check and prints its id. It runs only with --enabled. Where it waits for heartbeats, their token is printed too.",
    )
    .requiredOption("--type <type>", "what kind, such as HTTP; docs/check-types.md tells of each")
    .option("--target <target>", "the URL or the host")
    .option("--label <text>", "what people call it (default: the target)")
    .option("--interval <minutes>", "minutes between two runs (default: 15)")
    .option("--enabled", "run it from now on")
    .option(
      "--notify <id>=<schedule>[:<delay>]",
      "whom to tell, by the id of a contact, address, group or profile; in which schedule (default: All), after how many minutes. Can be given again",
      parseNotify,
    )
    .option(
      "--param <name>=<value>",
      "any other parameter; the value is JSON where it can be read as such, otherwise text. Can be given again",
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
      const api = createApiClient(shell, options);
      const check = await api("POST", "checks", parametersOf(options));
      if (json) return shell.print(`${JSON.stringify(check, undefined, 2)}\n`);
      shell.print(`${String(check._id)}\n`);
      if (typeof check.warning === "string") shell.printError(`It cannot run: ${check.warning}\n`);
      for (const assigned of assignedParameters(check)) shell.print(`${assigned}\n`);
    });
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

function parseNotify(text: string, before: readonly JsonObject[] = []): readonly JsonObject[] {
  const [, id = "", wish = ""] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (id === "") throw new InvalidArgumentError("It has the form <id>=<schedule>[:<delay>].");
  const [, schedule = "", delay = "0"] = /^(.*?)(?::(\d+))?$/s.exec(wish) ?? [];
  return [...before, { [id]: { schedule: schedule || "All", delay: Number(delay) } }];
}

function parseParam(text: string, before: JsonObject = {}): JsonObject {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === "") throw new InvalidArgumentError("It has the form <name>=<value>.");
  return { ...before, [name]: jsonOrText(value) };
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
