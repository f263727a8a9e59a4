import type { Command } from "commander";

import { isRecord } from "../../kit/safe-json.ts";
import {
  createApiListClient,
  withApiOptions,
  type HttpMethod,
  type JsonObject,
} from "../api-client.ts";
import { resources } from "../catalogue/catalogue.ts";
import { CommandEnd, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { confirm, isDangerous } from "./confirmation.ts";
import {
  addParameterOptions,
  assertParamsKnown,
  parametersOf,
  type Given,
} from "./operation-options.ts";
import { addFilterOptions, filtered, unknownValues, type GivenFilters } from "./list-filters.ts";
import { isSplit, type IdArgument, type Placement } from "./placement.ts";
import { printAnswer, printJson } from "./print-answer.ts";
import { createRecordNames } from "./record-names.ts";
import { withIds } from "./references.ts";

type AddCommand = (parent: Command, context: CommandContext) => void;

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

/** The command of an operation of the API, from what the catalogue says of it. */
export function operationCommand(placement: Placement): AddCommand {
  const { group, verb, action, id } = placement;
  return (parent, context) => {
    const command = parent
      .command(verb)
      .summary(shortOf(placement))
      .description(`${shortOf(placement)}.`);
    if (id !== undefined) command.argument(argumentOf(id), aboutId(id));
    addParameterOptions(command, placement);
    addFilterOptions(command, keyOf(placement));
    if (action === "DELETE" || hasDanger(placement))
      command.option("--yes", "do it without asking");
    command.option("--json", "the response of the API as JSON");
    withApiOptions(command)
      .addHelpText("after", `\nExample:\n  $ ./watchpost ${group} ${verb}${exampleOf(id)}`)
      .action(async () =>
        runOperation(placement, {
          ids: command.args,
          given: command.opts<Given>(),
          command,
          context,
        }),
      );
  };
}

interface Invocation {
  readonly ids: readonly string[];
  readonly given: Given;
  readonly command: Command;
  readonly context: CommandContext;
}

async function runOperation(placement: Placement, invocation: Invocation): Promise<void> {
  const { action, operation, id } = placement;
  const { ids, given, command, context } = invocation;
  const type = typeof given.type === "string" ? given.type : undefined;
  assertParamsKnown({ param: given.param, type }, operation, (message) =>
    command.error(`error: ${message}`, { exitCode: 2 }),
  );
  const call = createApiListClient(context, given);
  const names = createRecordNames(context, given);
  const sent = await withIds(await parametersOf(given, operation, context), names);
  // All of them are found before anything is done with one.
  await Promise.all(ids.map((each) => names.idOf(id?.resource, each)));
  if (isDangerous(action, sent)) await confirm(questionOf(placement, ids), given, context);
  const run = async (parameters: JsonObject, each?: string): Promise<void> => {
    const answer = await call(...requestOf(placement), forPrint(placement, parameters, given));
    const found = oneOf(answer, each);
    const shown = filtered(found, keyOf(placement), filtersIn(given));
    for (const sentence of unknownValues(found, keyOf(placement), filtersIn(given)))
      context.printError(`${sentence}\n`);
    report(shown, placement, { given, context });
    // As with curl --fail and gh: what was asked for is printed, and it is bad news.
    if (keyOf(placement) === "checks test" && "outcome" in shown && shown.outcome !== "passed")
      throw new CommandEnd(exitCodes.failed);
  };
  if (ids.length === 0 || id === undefined) return run(sent);
  // A name that nothing has may be that of a new record.
  const isName = id.resource !== undefined && resources[id.resource]?.ids === "name";
  const isNew = isName && operation.effect === "write" && action !== "DELETE";
  for (const each of ids)
    await names.withId(isNew ? undefined : id.resource, each, (found) =>
      run({ ...sent, [id.name]: found }, found),
    );
}

function keyOf({ resource, verb }: Placement): string {
  return `${resource} ${verb}`;
}

function filtersIn({ tag, state, type }: Given): GivenFilters {
  const listOf = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) ? value.map(String) : undefined;
  return { tag: listOf(tag), state: listOf(state), type: listOf(type) };
}

function requestOf({ resource, action, operation }: Placement): readonly [HttpMethod, string] {
  const method = METHODS.find((each) => each === action);
  if (method !== undefined) return [method, resource];
  return [operation.effect === "write" ? "POST" : "GET", `${resource}/${action.toLowerCase()}`];
}

/** Results without the envelope that the API gives them for clients of old. */
function forPrint({ resource, verb }: Placement, parameters: JsonObject, given: Given): JsonObject {
  const isResults = resource === "results" && verb === "results";
  return isResults && given.clean === undefined ? { clean: true, ...parameters } : parameters;
}

/** Some resources return one record by its id too. */
function oneOf(answer: object, id: string | undefined): object {
  if (id === undefined || Array.isArray(answer)) return answer;
  const [only, ...others] = Object.entries(answer);
  return others.length === 0 && only?.[0] === id && isRecord(only[1]) ? only[1] : answer;
}

function report(
  answer: object,
  { resource, verb, action, operation }: Placement,
  { given, context }: Pick<Invocation, "given" | "context">,
): void {
  if ("warning" in answer && typeof answer.warning === "string")
    context.printError(`Warning: ${answer.warning}\n`);
  if (given.json === true) return printJson(answer, context);
  if (operation.effect === "read" || !isRecord(answer))
    return printAnswer(answer, `${resource} ${verb}`, context);
  const made = madeId(answer);
  if (action === "POST" && made !== undefined) {
    context.print(`${made}\n`);
    if (typeof answer.token === "string") context.print(`token ${answer.token}\n`);
    return;
  }
  const rest = Object.entries(answer).filter(([name]) => !SAYS_LITTLE.has(name));
  if (action === "PUT" || action === "DELETE" || rest.length === 0) {
    const done = doneWords[action] ?? "done";
    return context.print(made === undefined ? `${done}\n` : `${made} ${done}\n`);
  }
  printAnswer(Object.fromEntries(rest), `${resource} ${verb}`, context);
}

/** Members of the response to a write that are in every such response. */
const SAYS_LITTLE = new Set(["id", "message", "ok", "success", "warning"]);

/** The id of a written record: its own, or that under which a response has it. */
function madeId(answer: JsonObject): string | undefined {
  const own = answer._id ?? answer.id;
  if (typeof own === "string") return own;
  return Object.entries(answer).find(([, value]) => isRecord(value) && "name" in value)?.[0];
}

const doneWords: Readonly<Record<string, string>> = {
  PUT: "changed",
  DELETE: "deleted",
  FORGET: "forgotten",
};

function questionOf({ group, resource, verb }: Placement, ids: readonly string[]): string {
  const which = ids.map((each) => JSON.stringify(each)).join(", ");
  const what =
    ids.length === 0
      ? `${group} ${verb} (${resources[resource]?.summary ?? group})`
      : `${group} ${verb} ${which}`;
  return `${what}: are you sure?`;
}

/** The API has one summary for a list and a single record. */
function shortOf({ group, verb, operation, resource }: Placement): string {
  const about = resources[resource]?.summary ?? group;
  if (isSplit(operation) && verb === "list")
    return `Lists ${about.charAt(0).toLowerCase()}${about.slice(1)}`;
  return isSplit(operation) && verb === "show" ? `Shows one ${group}` : operation.summary;
}

function hasDanger({ operation: { parameters, effect } }: Placement): boolean {
  return effect === "write" && ("delete" in parameters || "disableall" in parameters);
}

function argumentOf({ need }: IdArgument): string {
  return need === "required" ? "<id>" : need === "several" ? "<id...>" : "[id]";
}

function aboutId({ resource, need }: IdArgument): string {
  const several = need === "several" ? ", or several" : "";
  if (resource === undefined) return "the id";
  if (resources[resource]?.ids === "name") return `the name${several}`;
  return `the id${several}, or the name where only one has it`;
}

function exampleOf(id: IdArgument | undefined): string {
  return id === undefined || id.need === "optional" ? "" : " 202601051200ABCDE-0J2HSIRF";
}
