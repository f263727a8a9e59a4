import type { Command } from "commander";

import { messageOf } from "../../../kit/errors.ts";
import { CommandEnd, CommandError } from "../../command-context.ts";
import type { CommandContext } from "../../command-context.ts";
import type { AccountPlan } from "../../declaration/account-plan.ts";
import type { References } from "../../declaration/source/references.ts";
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

/** The same context, which prints nothing that files only refer to. */
export function redactedContext(
  { print, printError, terminal }: CommandContext,
  { redact }: References,
): Pick<CommandContext, "print" | "printError" | "terminal"> {
  return {
    print: (text) => print(redact(text)),
    printError: (text) => printError(redact(text)),
    terminal,
  };
}

/** What is wrong may quote what files only refer to, also where the installation says it. */
export async function redactedErrors(
  { redact }: References,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    throw new CommandError(redact(messageOf(error)), { cause: error });
  }
}

const MOST_NAMED = 10;

/** Says what stays although the files do not have it any more. */
export function printAbandoned(
  plans: readonly AccountPlan[],
  printError: CommandContext["printError"],
): void {
  const keys = plans.flatMap(({ abandoned }) => abandoned);
  if (keys.length === 0) return;
  const named = keys.slice(0, MOST_NAMED).map(stripControlCharacters).join(", ");
  const more = keys.length > MOST_NAMED ? `, and ${keys.length - MOST_NAMED} more` : "";
  printError(`! not in the files any more, and only deleted with --prune: ${named}${more}\n`);
}
