import type { JsonObject } from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";

/** Asks before something is lost; without anybody to ask it wants the flag. Throws unless the answer is yes. */
export async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean | undefined },
  { terminal }: Pick<CommandContext, "terminal">,
): Promise<void> {
  if (yes) return;
  if (terminal.ask === undefined)
    throw new CommandError(`${question} There is no terminal to ask at: add --yes to do it`);
  const answer = await terminal.ask({ text: `${question} [y/N] `, isSecret: false });
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError("nothing was done");
}

/** Returns whether records or their results are lost, or many checks stop running. */
export function isDangerous(action: string, parameters: JsonObject): boolean {
  const isTrue = (value: unknown): boolean => value === true || value === "true";
  return action === "DELETE" || isTrue(parameters.delete) || isTrue(parameters.disableall);
}
