import type { Compatibility } from "../http/compatibility.ts";
import type { JsonSchema } from "../../schema/field.ts";
import type { OperationObject, ParameterObject, RequestBody, ResponseObject } from "./document.ts";
import { operationIdOf } from "./endpoints.ts";
import type { Endpoint } from "./endpoints.ts";
import { errorsOf } from "./errors.ts";
import { jsonSchemaOf, isRequired, componentRef } from "./schemas.ts";
import type { SchemaObject } from "./schemas.ts";

const withBody: ReadonlySet<string> = new Set(["post", "put"]);

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly forms: JsonSchema;
}

/** The OpenAPI operation of one endpoint. */
export function operationObject(
  endpoint: Endpoint,
  {
    answer,
    compatibility,
  }: { readonly answer: SchemaObject; readonly compatibility: Compatibility },
): OperationObject {
  const { resource, operation, isById } = endpoint;
  const { identifying, others } = parametersOf(endpoint);
  const body = bodyNameOf(endpoint);
  const { responses, bodies } = errorsOf(endpoint, compatibility);
  return {
    operationId: operationIdOf(endpoint),
    tags: [resource.name],
    summary: operation.summary,
    parameters: [
      ...(isById
        ? identifying.filter(({ name }) => name === "id").map(inPath)
        : identifying.map(inQuery)),
      ...(body === undefined ? others.map(inQuery) : []),
    ],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(componentRef(body)) }),
    responses: { 200: okResponse([answer, ...bodies]), ...responses },
  };
}

/** The name of the schema of the request body; undefined where all parameters go into the query. */
export function bodyNameOf({ verb, path }: Endpoint): string | undefined {
  if (!withBody.has(verb)) return undefined;
  const name = operationIdOf({ verb, path: path.replace("/{id}", "") });
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export function bodySchema(endpoint: Endpoint): SchemaObject {
  const { example } = endpoint.operation;
  const { others } = parametersOf(endpoint);
  const required = others.filter((parameter) => parameter.required);
  return {
    type: "object",
    properties: Object.fromEntries(others.map(({ name, forms }) => [name, forms])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    // A tool would otherwise generate an example with all parameters, which seldom go together.
    examples: [example ?? {}],
  };
}

export function requestBodyOf(schema: SchemaObject): RequestBody {
  return {
    content: {
      "application/json": { schema },
      "application/x-www-form-urlencoded": { schema },
    },
  };
}

const headers = {
  "X-Watchpost-Warning": {
    description:
      "What of the request was ignored, or will not work; missing if there is nothing to say",
    schema: { type: "string" },
  },
};

export function okResponse(anyOf: readonly SchemaObject[]): ResponseObject {
  const [only = {}, ...others] = anyOf;
  const schema = others.length === 0 ? only : { anyOf };
  return { description: "Done", headers, content: { "application/json": { schema } } };
}

/** Parameters that identify a record are in the path or the query, even where the others are in the body. */
function parametersOf({ resource, operation }: Endpoint): {
  readonly identifying: readonly Parameter[];
  readonly others: readonly Parameter[];
} {
  const names = resource.ids === "account" ? ["id", "customerid"] : ["id"];
  const own = Object.entries(operation.input.shape).map(([name, schema]): Parameter => ({
    name,
    required: isRequired(schema),
    forms: jsonSchemaOf(schema),
  }));
  const further = Object.entries(operation.extraParameters ?? {}).map(
    ([name, forms]): Parameter => ({
      name,
      required: false,
      forms,
    }),
  );
  return {
    identifying: own.filter(({ name }) => names.includes(name)),
    others: [...own.filter(({ name }) => !names.includes(name)), ...further],
  };
}

function inPath(parameter: Parameter): ParameterObject {
  return { ...inQuery(parameter), in: "path", required: true };
}

function inQuery({
  name,
  required,
  forms: { description, ...schema },
}: Parameter): ParameterObject {
  return {
    name,
    in: "query",
    ...(description === undefined ? {} : { description }),
    ...(required ? { required } : {}),
    schema,
  };
}
