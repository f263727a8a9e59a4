import { METHODS } from "node:http";

import type { z } from "zod";

import type { Operation, Resource } from "../operation.ts";
import { oneOrManyOf } from "../resources/responses.ts";

/** An operation at one of its paths. */
export interface Endpoint {
  readonly resource: Resource;
  /** The key of the operation in its resource. */
  readonly action: string;
  readonly operation: Operation;
  readonly verb: string;
  readonly path: string;
  readonly isById: boolean;
}

/** Every operation has one path; one that takes an id has a second path with the id in it. */
export function endpointsOf(resource: Resource): readonly Endpoint[] {
  return Object.entries(resource.operations).flatMap(([action, operation]) => {
    const isVerb = METHODS.includes(action);
    const name = action.toLowerCase();
    const plain: Endpoint = {
      resource,
      action,
      operation,
      verb: isVerb ? name : verbOf(operation),
      path: isVerb ? `/${resource.name}` : `/${resource.name}/${name}`,
      isById: false,
    };
    return "id" in operation.input.shape
      ? [plain, { ...plain, path: `${plain.path}/{id}`, isById: true }]
      : [plain];
  });
}

/** The schema of its response: at a path with an id one record, where without it there are all. */
export function responseOf({ operation: { response }, isById }: Endpoint): z.ZodType {
  const both = oneOrManyOf(response);
  return (isById ? both?.one : both?.many) ?? response;
}

/** Any verb will do with a token; a session changes nothing by GET. */
function verbOf({ effect }: Operation): string {
  return effect === "write" ? "post" : "get";
}

/** The id of the operation, from which generated clients make method names: `getChecks`, `getChecksById`, `getResultsUptime`. */
export function operationIdOf({ verb, path }: Pick<Endpoint, "verb" | "path">): string {
  const words = path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part === "{id}" ? "ById" : `${part.charAt(0).toUpperCase()}${part.slice(1)}`));
  return `${verb}${words.join("")}`;
}
