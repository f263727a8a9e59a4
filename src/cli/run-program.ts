import { CommanderError, type Command } from "commander";

import { messageOf } from "../kit/errors.ts";
import { CommandEnd, type CommandContext } from "./command-context.ts";
import { stripControlCharacters } from "./table.ts";
import { exitCodes } from "./exit-codes.ts";

type Output = Pick<CommandContext, "version" | "print" | "printError">;

/** Runs the command that the arguments name, and returns the exit code. */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { printError }: Output,
): Promise<number> {
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    // Commander has printed its own errors already.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usageError;
    if (error instanceof CommandEnd) return error.exitCode;
    // Messages quote labels and responses, which must not control the terminal.
    const lines = messageOf(error).split("\n").map(stripControlCharacters);
    printError(`${lines.join("\n")}\n`);
    return exitCodes.failed;
  }
}

/** Settings common to all programs; commands inherit them when they are added. */
export function withOutput(program: Command, { version, print, printError }: Output): Command {
  return program
    .version(version)
    .exitOverride()
    .showHelpAfterError("(see --help)")
    .configureOutput({ writeOut: print, writeErr: printError });
}
