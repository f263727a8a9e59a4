import { Command, CommanderError } from "commander";

import { messageOf } from "../kit/errors.ts";
import { addCheckAdd } from "./commands/check-add.ts";
import { addCheckAlerts } from "./commands/check-alerts.ts";
import { addCheckList } from "./commands/check-list.ts";
import { addCheckShow } from "./commands/check-show.ts";
import { addContactList } from "./commands/contact-list.ts";
import { addContactTest } from "./commands/contact-test.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import type { CommandContext } from "./command-context.ts";
import { addTokenCreate } from "./commands/token-create.ts";
import { addTokenList } from "./commands/token-list.ts";
import { addTokenRevoke } from "./commands/token-revoke.ts";

/** The exit codes of commands. */
export const exitCodes = { done: 0, failed: 1, usageError: 2 } as const;

/** Runs the command that the arguments name, and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    await programOf(context).parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    // Commander has printed its own errors already.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usageError;
    context.printError(`${messageOf(error)}\n`);
    return exitCodes.failed;
  }
}

function programOf(context: CommandContext): Command {
  const program = new Command("watchpost")
    .description("Runs and manages Watchpost. Without arguments it runs the service.")
    .version(context.version)
    .exitOverride()
    .showHelpAfterError("(see --help)")
    .configureOutput({ writeOut: context.print, writeErr: context.printError })
    .addHelpText("after", examples);
  const token = program
    .command("token")
    .description(
      "Manages API tokens in the data folder of the settings, whether or not the service is running.",
    );
  addTokenCreate(token, context);
  addTokenList(token, context);
  addTokenRevoke(token, context);
  const check = program
    .command("check")
    .description("Creates and shows checks through the API of an installation.");
  addCheckAdd(check, context);
  addCheckAlerts(check, context);
  addCheckList(check, context);
  addCheckShow(check, context);
  const contact = program
    .command("contact")
    .description("Shows and tests contacts through the API of an installation.");
  addContactList(contact, context);
  addContactTest(contact, context);
  addExport(program, context);
  addImport(program, context);
  return program;
}

const examples = `
Start with a token; the other commands read it from the environment:
  $ export WATCHPOST_TOKEN=$(./watchpost token create)
  $ ./watchpost check add --type HTTP --target https://example.com/ --enabled
  $ ./watchpost check list

Settings come from the environment and from the file watchpost.env in this folder, as for the service; see docs/operating.md.
Exit codes: 0 success, 1 failure, 2 invalid command or arguments.`;
