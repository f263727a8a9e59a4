import { z } from "zod";

import { closestWord } from "../schema/closest-word.ts";
import { isRecord } from "../kit/safe-json.ts";
import type { JsonSchema } from "../schema/field.ts";
import { readJsonText } from "../schema/json-values.ts";
import type { RawValues } from "./http/parse-request.ts";
import { jsonSchemaOf } from "./openapi/schemas.ts";

interface Understood {
  readonly input: z.ZodObject;
  readonly extraParameters?: Readonly<Record<string, JsonSchema>>;
  readonly response: z.ZodType;
  /** Names that no client sends. */
  readonly internal?: readonly string[];
}

/** Finds what an operation does not understand of the parameters of a request, and says so in a sentence for each. */
export type FindUnknown = (values: RawValues, options: { readonly isWrite: boolean }) => string[];

/** More are not looked into: they are counted at most, and a request may have thousands. */
const MAX_FOUND = 20;
const MAX_NAME_LENGTH = 60;

/**
 * A member of the record itself is understood in a write, although only Watchpost sets it: clients send whole records back. What is looked up is derived from the
 * schemas when the operation is first called.
 */
export function findUnknownOf({
  input,
  extraParameters = {},
  response,
  internal = [],
}: Understood): FindUnknown {
  const parameters = new Map<string, JsonSchema>(Object.entries(extraParameters));
  const names = [...Object.keys(input.shape), ...parameters.keys()];
  const own = new Set([...names, ...internal]);
  const ofRecord = new Set(membersOf(response));
  let nested: ReadonlySet<string> | undefined;
  const schemaOf = (name: string): JsonSchema => {
    const field = input.shape[name];
    const schema = parameters.get(name) ?? (field === undefined ? {} : jsonSchemaOf(field));
    parameters.set(name, schema);
    return schema;
  };
  return (values, { isWrite }) => {
    const found: string[] = [];
    for (const [name, value] of Object.entries(values)) {
      if (found.length >= MAX_FOUND) break;
      if (own.has(name)) {
        if (!mayHaveMembers(value)) continue;
        nested ??= nestedNames(response);
        walk(value, schemaOf(name), { path: name, known: nested, found });
        continue;
      }
      if (!isWrite || !ofRecord.has(name)) found.push(sentence("", name, names));
    }
    return found;
  };
}

function sentence(path: string, name: string, names: Iterable<string>): string {
  const meant = closestWord(name, names);
  const prefix = path === "" ? "" : `${path}.`;
  const hint = meant === undefined ? "" : `, did you mean ${prefix}${meant}?`;
  return `${prefix}${quotedUnlessPlain(name)}: not known here, and ignored${hint}`;
}

/** A name as a sentence can have it, whatever was sent. */
export function quotedUnlessPlain(name: string): string {
  if (name.length > MAX_NAME_LENGTH) return JSON.stringify(`${name.slice(0, MAX_NAME_LENGTH)}…`);
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
}

function mayHaveMembers(value: unknown): boolean {
  return typeof value === "string" ? /^\s*[[{]/.test(value) : typeof value === "object";
}

interface Walk {
  readonly path: string;
  /** Members of records, at any depth. */
  readonly known: ReadonlySet<string>;
  readonly found: string[];
}

/** Looks for members that a schema with named members does not have. Of lists and maps the path names no entry: one slip is often in all of them. */
function walk(sent: unknown, schema: JsonSchema, { path, known, found }: Walk): void {
  const value = jsonOf(sent);
  if (found.length >= MAX_FOUND) return;
  const { items } = schema;
  if (Array.isArray(value) || isGappedList(value, schema)) {
    if (isSchema(items))
      for (const each of Object.values(value)) walk(each, items, { path, known, found });
    return;
  }
  if (!isRecord(value)) return;
  const branch = objectBranchOf(schema);
  if (branch === undefined) return;
  const { properties, additionalProperties } = branch;
  for (const [name, member] of Object.entries(value)) {
    const property = properties?.[name];
    if (isSchema(property)) walk(member, property, { path: `${path}.${name}`, known, found });
    else if (isSchema(additionalProperties))
      walk(member, additionalProperties, { path, known, found });
    else if (properties !== undefined && !known.has(name) && member !== null)
      addOnce(found, sentence(path, name, Object.keys(properties)));
  }
}

/** Detects a list with a gap as PHP encodes it: an object of numbers to entries. */
function isGappedList(value: unknown, { items }: JsonSchema): value is object {
  return isSchema(items) && isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key));
}

function addOnce(found: string[], what: string): void {
  if (!found.includes(what)) found.push(what);
}

/** Returns the part of the schema that describes an object: one of its choices, or an item if an object replaces a list. */
function objectBranchOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties !== undefined || isSchema(schema.additionalProperties)) return schema;
  const choice = schema.anyOf?.find(
    (each: unknown) => isSchema(each) && each.properties !== undefined,
  );
  if (isSchema(choice)) return choice;
  return isSchema(schema.items) ? objectBranchOf(schema.items) : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** Text that only looks like JSON is a separate value. */
function jsonOf(value: unknown): unknown {
  try {
    return readJsonText(value);
  } catch {
    return value;
  }
}

/** The members of the record, or of each record that an operation may respond with. */
function membersOf(response: z.ZodType): readonly string[] {
  if (response instanceof z.ZodUnion)
    return response.options.flatMap((each) => (each instanceof z.ZodType ? membersOf(each) : []));
  if (response instanceof z.ZodIntersection)
    return [response.def.left, response.def.right].flatMap((each) =>
      each instanceof z.ZodType ? membersOf(each) : [],
    );
  if (!(response instanceof z.ZodObject)) return [];
  const { catchall } = response.def;
  const ofEntries = catchall instanceof z.ZodObject ? membersOf(catchall) : [];
  return [...Object.keys(response.shape), ...ofEntries];
}

/** Clients give the entries of a record the ids that they know them by. */
const always = ["id", "_id"];

function nestedNames(response: z.ZodType): ReadonlySet<string> {
  const names = new Set(always);
  JSON.stringify(z.toJSONSchema(response, { unrepresentable: "any" }), (key, value: unknown) => {
    if (key === "properties" && isRecord(value))
      for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  return names;
}
