import { Command } from "commander";

import { addProbe, type ProbeContext } from "./commands/probe.ts";
import { runProgram, withOutput } from "./run-program.ts";

/** Runs `watchpost probe` without loading the other commands, for machines with little memory. */
export function runProbeCommand(args: readonly string[], context: ProbeContext): Promise<number> {
  const program = withOutput(new Command("watchpost"), context);
  addProbe(program, context);
  return runProgram(program, args, context);
}
