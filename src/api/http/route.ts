import { METHODS } from "node:http";

import { InvalidInput, NotFound } from "../../kit/errors.ts";
import { MethodNotAllowed } from "./errors.ts";
import type { Operation, Resource } from "../operation.ts";
import type { ParsedRequest, RawValues } from "./parse-request.ts";

export interface Route {
  readonly resource: Resource;
  readonly action: string;
  readonly operation: Operation;
  readonly values: RawValues;
}

/** Finds the operation that a request asks for. An id in the path becomes a parameter, and takes precedence over one that was sent otherwise. */
export function routeOf(resources: ReadonlyMap<string, Resource>, call: ParsedRequest): Route {
  const [name = "", ...rest] = call.path;
  const resource = resources.get(name);
  if (resource === undefined) throw new NotFound(`no such resource ${JSON.stringify(name)}`);
  const named = rest[0]?.toUpperCase() ?? "";
  const isNamed = namesOperation(resource, call, named);
  const [segment, ...tooMany] = isNamed ? rest.slice(1) : rest;
  if (tooMany.length > 0) throw new NotFound(`no such path below ${JSON.stringify(name)}`);
  const action = isNamed ? named : call.action;
  return {
    resource,
    action,
    operation: operationOf(resource, action),
    values: identified(resource, call.values, segment),
  };
}

/**
 * A named operation may be called by POST too: curl uses it for every request with a body. Where clients choose the names of records, one of them may be the
 * same word: then only a GET with a parameter that is for no record means the operation.
 */
function namesOperation(
  { ids, operations }: Resource,
  { action, values }: ParsedRequest,
  word: string,
): boolean {
  const operation = operations[word];
  if (operation === undefined || METHODS.includes(word)) return false;
  const ofRecord = ids === "name" ? operations.GET?.input.shape : undefined;
  if (ofRecord === undefined) return action === "GET" || action === "POST";
  const own = Object.keys(operation.input.shape).filter((name) => !(name in ofRecord));
  return action === "GET" && own.some((name) => values[name] !== undefined);
}

function operationOf({ name, operations }: Resource, action: string): Operation {
  const operation = operations[action];
  if (operation !== undefined) return operation;
  if (!METHODS.includes(action))
    throw new InvalidInput(`action: not known on ${name} ${JSON.stringify(action)}`);
  const allowed = Object.keys(operations).filter((each) => METHODS.includes(each));
  throw new MethodNotAllowed(`method ${action} is not supported on ${name}`, allowed);
}

const accountId = /^\d{12}[A-Z0-9]{4,5}$/;

function identified({ ids }: Resource, values: RawValues, segment: string | undefined): RawValues {
  if (ids === "account") return withId("customerid", values, segment ?? values.id);
  return withId(
    ids === "record" && segment !== undefined && accountId.test(segment) ? "customerid" : "id",
    values,
    segment,
  );
}

function withId(name: "id" | "customerid", values: RawValues, id: unknown): RawValues {
  return id === undefined ? values : { ...values, [name]: id };
}
