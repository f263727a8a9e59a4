import { readFile } from "node:fs/promises";

import { InvalidArgumentError, Option, type Command } from "commander";

import { fileTrouble } from "../../kit/file-error.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { closestWord } from "../../schema/closest-word.ts";
import type { ApiOptions, JsonObject } from "../api-client.ts";
import {
  checkTypes,
  type CatalogueOperation,
  type CatalogueParameter,
} from "../catalogue/catalogue.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import type { Placement } from "./placement.ts";

/** Options of every operation command besides the operation's parameters. */
export interface OperationOptions extends ApiOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly input?: string;
  readonly target?: string;
  readonly param?: JsonObject;
  readonly notify?: readonly JsonObject[];
}

export type Given = OperationOptions & JsonObject;

/** Adds an option for each parameter that is not an argument. */
export function addParameterOptions(
  command: Command,
  { operation, id, resource }: Pick<Placement, "operation" | "id" | "resource">,
): void {
  const isOptional = (name: string): boolean =>
    name !== id?.name && (name === "id" ? resource === "maintenance" : name !== "customerid");
  for (const [name, parameter] of Object.entries(operation.parameters))
    if (isOptional(name))
      for (const option of optionsOf(name, parameter)) command.addOption(option);
  if (operation.takesParam)
    command
      .option("--target <target>", "the URL or host")
      .option(
        "--param <name>=<value>",
        "any other parameter of the type; the value is parsed as JSON if possible. Repeatable",
        parseParam,
      );
  if (Object.hasOwn(operation.parameters, "notifications"))
    command.option(
      "--notify <recipient>=<schedule>[:<delay>]",
      "one recipient of alerts, by id or name, in place of --notifications. Repeatable",
      parseNotify,
    );
  if (operation.effect === "write")
    command.option(
      "--input <file>",
      "parameters as one JSON object, from a file or - for standard input",
    );
}

function optionsOf(name: string, { kind, about, required, choices }: CatalogueParameter) {
  const words = choices === "" ? "" : ` (${choices.split(" ").join(", ")})`;
  const described = `${about}${words}${required ? "; required" : ""}`;
  if (kind === "flag")
    return [new Option(`--${name}`, described), new Option(`--no-${name}`).hideHelp()];
  return [new Option(`--${name} <${kind === "list" ? "list" : "value"}>`, described)];
}

/** The parameters that the options say, those of `--input` first. */
export async function parametersOf(
  given: Given,
  operation: CatalogueOperation,
  context: Pick<CommandContext, "readInput">,
): Promise<JsonObject> {
  const own = Object.keys(operation.parameters).flatMap((name) =>
    given[name] === undefined ? [] : [[name, valueOf(given[name])] as const],
  );
  return {
    ...(given.input !== undefined && (await readParameters(given.input, context))),
    ...Object.fromEntries(own.filter(([name]) => name !== "customerid")),
    ...(given.target !== undefined && { target: given.target }),
    ...(given.notify !== undefined && { notifications: given.notify }),
    ...given.param,
  };
}

/** Lists and objects are written as JSON; everything else is text, which the API reads as what it takes. */
function valueOf(value: unknown): unknown {
  return typeof value === "string" && /^[[{]/.test(value) ? jsonOrText(value) : value;
}

async function readParameters(
  path: string,
  { readInput }: Pick<CommandContext, "readInput">,
): Promise<JsonObject> {
  const text = path === "-" ? await readInput() : await textOfFile(path);
  const value = jsonOrText(text);
  if (!isRecord(value)) throw new CommandError("--input: must be one JSON object");
  return value;
}

async function textOfFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CommandError(`cannot read ${JSON.stringify(path)}: ${fileTrouble(error)}`, {
      cause: error,
    });
  }
}

interface Wanted {
  readonly param: JsonObject | undefined;
  readonly type: string | undefined;
}

/** Refuses what no check of the type has, with what was probably meant: the API would only warn of it. */
export function assertParamsKnown(
  { param = {}, type }: Wanted,
  { parameters }: CatalogueOperation,
  refuse: (message: string) => void,
): void {
  const ofType = type === undefined ? undefined : checkTypes[type.toUpperCase()];
  // The API says what types there are.
  if (type !== undefined && ofType === undefined) return;
  const types = ofType === undefined ? Object.values(checkTypes) : [ofType];
  const names = [
    ...Object.keys(parameters),
    ...types.flatMap((each) => Object.keys(each.parameters)),
    ...shared,
  ];
  for (const name of Object.keys(param).filter((each) => !names.includes(each))) {
    const meant = closestWord(name, names);
    const hint = meant === undefined ? "" : `, did you mean ${meant}?`;
    const whose = type === undefined ? "any type" : `type ${type.toUpperCase()}`;
    refuse(`--param ${name}: no parameter of a check of ${whose}${hint}`);
  }
}

/** Parameters that the API accepts for any check type. */
const shared = ["contentstring", "follow", "invert", "ipv6", "port", "verify"];

export function parseNotify(
  text: string,
  before: readonly JsonObject[] = [],
): readonly JsonObject[] {
  const [, id = "", wish = ""] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (id === "") throw new InvalidArgumentError("It has the form <id>=<schedule>[:<delay>].");
  const [, schedule = "", delay = "0"] = /^(.*?)(?::(\d+))?$/s.exec(wish) ?? [];
  return [...before, { [id]: { schedule: schedule || "All", delay: Number(delay) } }];
}

export function parseParam(text: string, before: JsonObject = {}): JsonObject {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === "") throw new InvalidArgumentError("It has the form <name>=<value>.");
  return { ...before, [name]: jsonOrText(value) };
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
