import type { Access } from "../../domain/account/access.ts";
import type { Compatibility } from "../http/compatibility.ts";
import { maxIdLength } from "../resources/identifiers.ts";
import { canonicalForm, distinct } from "./canonical-form.ts";
import { oneOrManyOf } from "../resources/responses.ts";
import type { JsonSchema } from "../../schema/field.ts";
import type { OperationObject, ParameterObject, RequestBody, ResponseObject } from "./document.ts";
import { operationIdOf, type Endpoint } from "./endpoints.ts";
import type { Variant } from "../operation.ts";
import { errorsOf } from "./errors.ts";
import { exampleOf, withExample, withValues } from "./examples.ts";
import { jsonSchemaOf, isRequired, componentRef, type SchemaObject } from "./schemas.ts";

const MAX_ID_LENGTH = { maxLength: maxIdLength };
const TAG = { type: "string", description: "Which of the choices it is" } as const;
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
  const beside = isCollection(endpoint) ? identifying.flatMap(severalOf) : identifying;
  const { responses, bodies } = errorsOf(endpoint, compatibility);
  const operationId = operationIdOf(endpoint);
  const example = exampleOf(operationId);
  const parameters = [
    ...(isById ? identifying.filter(({ name }) => name === "id").map(inPath) : beside.map(inQuery)),
    ...(body === undefined ? others.map(inQuery) : []),
  ];
  return {
    operationId,
    tags: [resource.name],
    summary: operation.summary,
    description: descriptionOf(endpoint),
    parameters: withValues(parameters, example),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(componentRef(body), example.body) }),
    responses: { 200: okResponse([answer, ...bodies], example.answer), ...responses },
  };
}

/** Returns whether it answers with all records, and its path with an id with one. */
function isCollection({ operation: { response }, isById }: Endpoint): boolean {
  return !isById && oneOrManyOf(response) !== undefined;
}

/** One id belongs into the path of the record; where several may be sent, two or more make a list of them. */
function severalOf({ forms, ...rest }: Parameter): readonly Parameter[] {
  if (![forms.type].flat().includes("array")) return [];
  const description = "Only these: two or more ids, as a list or divided by commas";
  return [{ ...rest, forms: { ...forms, description } }];
}

const allowed: Readonly<Record<Access, string>> = {
  view: "Any token of the account may do it, also one that only reads, and every contact that may sign in.",
  edit: "A token that only reads may not do it, nor a contact that may only look.",
  owner: "A token that only reads may not do it, and of contacts only owners.",
};

function descriptionOf({ operation, resource, isById }: Endpoint): string {
  const { summary, needs, effect } = operation;
  const record =
    isById && resource.ids === "record"
      ? " A record of another account is answered as one that does not exist."
      : "";
  const trace = effect === "write" ? " What it changes is recorded in the audit log." : "";
  return `${summary}. ${allowed[needs]}${record}${trace}`;
}

/** Returns the schema name of the request body; undefined if all parameters are in the query. */
export function bodyNameOf({ verb, path }: Endpoint): string | undefined {
  if (!withBody.has(verb)) return undefined;
  const name = operationIdOf({ verb, path: path.replace("/{id}", "") });
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The schemas of a request body, with their names: one, or one for each value of `type` and what they have in common. */
export function bodySchemas(
  endpoint: Endpoint,
): readonly (readonly [name: string, schema: SchemaObject])[] {
  const name = bodyNameOf(endpoint);
  if (name === undefined) return [];
  const { example = {}, variants } = endpoint.operation;
  const { others } = parametersOf(endpoint);
  // A tool would otherwise generate an example with all parameters, which seldom go together.
  if (variants === undefined) return [[name, { ...objectOf(others), examples: [example] }]];
  const common = `${name}Common`;
  const own = new Set(["type", ...Object.values(variants).flatMap(namesOf)]);
  const choices = Object.entries(variants);
  return [
    [
      name,
      {
        oneOf: choices.map(([, { schemaName }]) => componentRef(schemaName)),
        discriminator: {
          propertyName: "type",
          mapping: Object.fromEntries(
            choices.map(([type, { schemaName }]) => [type, componentRef(schemaName).$ref]),
          ),
        },
        examples: [example],
      },
    ],
    [common, objectOf(others.filter((parameter) => !own.has(parameter.name)))],
    ...choices.map(
      ([type, variant]) => [variant.schemaName, variantOf(type, variant, common)] as const,
    ),
  ];
}

function objectOf(parameters: readonly Parameter[]): SchemaObject {
  const required = parameters.filter((parameter) => parameter.required);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, forms }) => [name, forms])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
  };
}

function namesOf({ input }: Variant): readonly string[] {
  return Object.keys(input.shape);
}

function variantOf(
  type: string,
  { summary, input, example }: Variant,
  common: string,
): SchemaObject {
  const own = Object.entries(input.shape).map(([name, schema]) => ({
    name,
    required: isRequired(schema),
    forms: canonicalForm(jsonSchemaOf(schema)),
  }));
  const tag = { name: "type", required: true, forms: { ...TAG, const: type } };
  return {
    description: summary,
    allOf: [objectOf([tag, ...own]), componentRef(common)],
    examples: [{ type, ...example }],
  };
}

export function requestBodyOf(schema: SchemaObject, example?: unknown): RequestBody {
  return {
    content: {
      "application/json": withExample({ schema }, example),
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

export function okResponse(schemas: readonly SchemaObject[], example?: unknown): ResponseObject {
  const anyOf = distinct(schemas);
  const [only = {}, ...others] = anyOf;
  const schema = others.length === 0 ? only : { anyOf };
  const content = { "application/json": withExample({ schema }, example) };
  return { description: "Done", headers, content };
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
    // Ids may be a list, or divided by commas.
    forms: names.includes(name) ? jsonSchemaOf(schema) : canonicalForm(jsonSchemaOf(schema)),
  }));
  const further = Object.entries(operation.extraParameters ?? {}).map(
    ([name, forms]): Parameter => ({
      name,
      required: false,
      forms: canonicalForm(forms),
    }),
  );
  return {
    identifying: own.filter(({ name }) => names.includes(name)),
    others: [...own.filter(({ name }) => !names.includes(name)), ...further],
  };
}

function inPath(parameter: Parameter): ParameterObject {
  const { items, maxItems: _, ...schema } = parameter.forms;
  const one = { ...schema, type: "string", ...(items === undefined ? {} : MAX_ID_LENGTH) } as const;
  return { ...inQuery({ ...parameter, forms: one }), in: "path", required: true };
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
