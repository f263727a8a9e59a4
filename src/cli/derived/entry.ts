import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

export type AddCommand = (parent: Command, context: CommandContext) => void;

/** A command, or a group of them, by its name. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  /** The command itself, or those of a group: what each needs is only loaded where it is asked for. */
  readonly load: () => Promise<AddCommand | readonly AddCommand[]>;
}
