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

/** How a command ended, as shells want to know it. */
export const exitCodes = { done: 0, failed: 1, usageError: 2 } as const;

/** Carries out what the arguments say, and gives the exit code. */
export async function runCommand(args: readonly string[], shell: CommandContext): Promise<number> {
  try {
    await programOf(shell).parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    // It has told of its own errors already.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usageError;
    shell.printError(`${messageOf(error)}\n`);
    return exitCodes.failed;
  }
}

function programOf(shell: CommandContext): Command {
  const program = new Command("watchpost")
    .description("Runs Watchpost, and looks after it. Without arguments it runs the service.")
    .version(shell.version)
    .exitOverride()
    .showHelpAfterError("(--help says more)")
    .configureOutput({ writeOut: shell.print, writeErr: shell.printError })
    .addHelpText("after", teaching);
  const token = program
    .command("token")
    .description(
      "Tokens of the API. Works on the data folder of the settings, whether or not the service runs on it.",
    );
  addTokenCreate(token, shell);
  addTokenList(token, shell);
  addTokenRevoke(token, shell);
  const check = program
    .command("check")
    .description("Checks of an installation, here or elsewhere, by its API.");
  addCheckAdd(check, shell);
  addCheckAlerts(check, shell);
  addCheckList(check, shell);
  addCheckShow(check, shell);
  const contact = program
    .command("contact")
    .description("Contacts of an installation, here or elsewhere, by its API.");
  addContactList(contact, shell);
  addContactTest(contact, shell);
  addExport(program, shell);
  addImport(program, shell);
  return program;
}

const teaching = `
Begin with a token; the others find it in the environment:
  $ export WATCHPOST_TOKEN=$(./watchpost token create)
  $ ./watchpost check add --type HTTP --target https://example.com/ --enabled
  $ ./watchpost check list

Settings come from the environment and from the file watchpost.env of this folder, as for the service; docs/operating.md lists them.
Exit codes: 0 done, 1 failed, 2 not understood.`;
