import type { Command, Option } from "commander";

import { createApiListClient, type ApiOptions } from "./api-client.ts";
import { checkTypes, resources } from "./catalogue/catalogue.ts";
import type { CommandContext } from "./command-context.ts";
import { readContexts } from "./contexts/context-file.ts";
import { groupOf, placements } from "./derived/placement.ts";
import { recordsOf } from "./derived/record-names.ts";
import { references } from "./derived/references.ts";
import { stripControlCharacters } from "./table.ts";

/** Completion candidate with its description. */
interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** Maximum wait, because a user has pressed a key. */
const TIMEOUT_MS = 2000;
const MAX_RECORDS = 500;
/** Matches text that every shell takes as one word once its spaces are escaped: bash also splits words at colons and equals signs. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} ._/@-]*$/u;

/** The candidates for the last of the words, which may be empty, as lines. Never throws: nobody would see why. */
export async function complete(
  words: readonly string[],
  program: Command,
  context: CommandContext,
): Promise<void> {
  const before = words.slice(0, -1).map(unquoted);
  const prefix = unquoted(words.at(-1) ?? "");
  const found = await candidatesFor(before, { prefix, program, context }).catch(() => []);
  const lines = found
    .filter(({ value }) => value.startsWith(prefix))
    .map(({ value, about }) => `${value}\t${stripControlCharacters(about)}\n`);
  context.print(lines.join(""));
}

interface Wanted {
  readonly prefix: string;
  readonly program: Command;
  readonly context: CommandContext;
}

async function candidatesFor(
  before: readonly string[],
  { prefix, program, context }: Wanted,
): Promise<readonly Candidate[]> {
  const { command, path, given, open } = walk(before, program);
  if (open !== undefined) return valuesOf(open, { path, given, prefix, context });
  if (prefix.startsWith("-"))
    return command.options
      .filter((option) => !option.hidden && option.long !== undefined)
      .map(({ long = "", description }) => ({ value: long, about: description }));
  if (command.commands.length > 0)
    return command.commands.map((each) => ({
      value: each.name(),
      about: each.summary() || each.description(),
    }));
  return argumentsOf(path, { given, prefix, context });
}

interface Walked {
  readonly command: Command;
  readonly path: string;
  readonly given: ApiOptions;
  /** The option whose value comes next. */
  readonly open: Option | undefined;
}

/** The command that the words name, and the options with which the API is to be asked. */
function walk(words: readonly string[], program: Command): Walked {
  let command = program;
  let open: Option | undefined;
  const names: string[] = [];
  const given: Record<string, string> = {};
  for (const word of words) {
    if (open !== undefined) {
      given[open.attributeName()] = word;
      open = undefined;
    } else if (word.startsWith("-")) {
      const option = command.options.find(({ long, short }) => long === word || short === word);
      open = option?.required === true ? option : undefined;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next === undefined) continue;
      command = next;
      names.push(word);
    }
  }
  const { url, token, account, context } = given;
  const asked = Object.entries({ url, token, account, context }).filter(
    ([, value]) => value !== undefined,
  );
  return { command, path: names.join(" "), given: Object.fromEntries(asked), open };
}

interface Asking {
  readonly given: ApiOptions;
  readonly prefix: string;
  readonly context: CommandContext;
}

async function valuesOf(
  option: Option,
  { path, ...asking }: Asking & { readonly path: string },
): Promise<readonly Candidate[]> {
  const name = option.attributeName();
  if (name === "context") return contextsOf(asking.context);
  if (name === "account") return records("accounts", asking);
  if (name === "type" && path.startsWith("check "))
    return Object.entries(checkTypes).map(([value, { summary }]) => ({ value, about: summary }));
  const resource = references[name];
  if (resource !== undefined) return records(resource, asking);
  const placed = placements().find(({ group, verb }) => path === `${group} ${verb}`);
  const operation = placed?.operation ?? resources.checks?.operations.POST;
  const choices = operation?.parameters[name]?.choices ?? "";
  return choices === "" ? [] : choices.split(" ").map((value) => ({ value, about: "" }));
}

async function argumentsOf(path: string, asking: Asking): Promise<readonly Candidate[]> {
  const [group = "", verb = ""] = path.split(" ");
  if (group === "context" && verb !== "list") return contextsOf(asking.context);
  if (path === "completion") return ["bash", "zsh", "fish"].map((value) => ({ value, about: "" }));
  if (path === "tail") return records("checks", asking);
  const placed = placements().find((each) => path === `${each.group} ${each.verb}`);
  const own = Object.keys(resources).find(
    (resource) => groupOf(resource) === group && group !== "location",
  );
  const resource =
    placed === undefined ? ownOf(verb, group === "check" ? "checks" : own) : placed.id?.resource;
  return resource === undefined ? [] : records(resource, asking);
}

/** Commands of their own take a record, unless they make one or show all. */
function ownOf(verb: string, resource: string | undefined): string | undefined {
  return ["", "add", "list", "disable-all", "enable-all"].includes(verb) ? undefined : resource;
}

async function contextsOf({ configFolder }: CommandContext): Promise<readonly Candidate[]> {
  const { byName } = await readContexts(configFolder);
  return Object.entries(byName).map(([value, { url }]) => ({ value, about: url }));
}

/** Labels that only one record has, else ids; ids too where one was begun. */
async function records(
  resource: string,
  { given, prefix, context }: Asking,
): Promise<readonly Candidate[]> {
  const { all } = await recordsOf(createApiListClient(impatient(context), given), resource);
  const counts = Map.groupBy(all, ({ name }) => name);
  const named = all.map(({ id, name }) =>
    PLAIN.test(name) && counts.get(name)?.length === 1
      ? { value: name, about: id }
      : { value: id, about: name },
  );
  const ids = prefix === "" ? [] : all.map(({ id, name }) => ({ value: id, about: name }));
  const fitting = [...named, ...ids].filter(({ value }) => value.startsWith(prefix));
  return [...new Map(fitting.map((each) => [each.value, each])).values()].slice(0, MAX_RECORDS);
}

function impatient(context: CommandContext): CommandContext {
  return {
    ...context,
    printError: () => {},
    async fetch(url, init) {
      const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])];
      const response = await context.fetch(url, { ...init, signal: AbortSignal.any(signals) });
      if (!response.ok) throw new Error(`the API responded with ${response.status}`);
      return response;
    },
  };
}

/** A word as shells have it while it is typed: a quote may be open, and characters escaped. */
function unquoted(word: string): string {
  return word.replace(/^["']/, "").replaceAll(/\\(.)/gs, "$1");
}
