import type { Command } from "commander";

import { messageOf } from "../../../kit/errors.ts";
import { CommandError, type CommandContext } from "../../command-context.ts";
import type { AccountPlan } from "../../configuration/account-plan.ts";
import { FilesError } from "../../configuration/source/faults.ts";
import type { Redact } from "../../configuration/source/redact.ts";
import { stripControlCharacters } from "../../table.ts";

export interface FilesOption {
  readonly file: readonly string[];
}

export function withFiles(command: Command): Command {
  return command.requiredOption(
    "-f, --file <path>",
    "a file (YAML or JSON), a folder of them, or - for standard input; may be repeated",
    (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
  );
}

/** Errors from the installation may quote secrets that files only refer to. */
export async function redactedErrors<Value>(
  redact: Redact,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FilesError) throw error;
    throw new CommandError(redact(messageOf(error)), { cause: error });
  }
}

/** Says what the plans had to guess or to leave out. */
export function printWarnings(
  plans: readonly AccountPlan[],
  { redact, printError }: { readonly redact: Redact } & Pick<CommandContext, "printError">,
): void {
  for (const warning of new Set(plans.flatMap(({ plan }) => plan.warnings)))
    printError(`! ${redact(warning)}\n`);
}

const MAX_NAMED = 10;

/** Says what stays although the files do not have it any more. */
export function printAbandoned(
  plans: readonly AccountPlan[],
  printError: CommandContext["printError"],
): void {
  const keys = plans.flatMap(({ abandoned }) => abandoned);
  if (keys.length === 0) return;
  const named = keys.slice(0, MAX_NAMED).map(stripControlCharacters).join(", ");
  const more = keys.length > MAX_NAMED ? `, and ${keys.length - MAX_NAMED} more` : "";
  printError(`! not in the files any more, and only deleted with --prune: ${named}${more}\n`);
}
