import { propertiesOf, requiredOf } from "../openapi/properties-of.ts";
import type { SchemaObject } from "./values.ts";

/** An OpenAPI document, as far as requests are made from it. */
export interface OpenApiDocument {
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly servers?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: SchemaObject }>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
}

/** One operation at one path, with all its parameters as one schema, wherever they are sent. */
export interface Endpoint {
  readonly operationId: string;
  readonly tag: string;
  readonly verb: string;
  readonly path: string;
  readonly properties: Readonly<Record<string, SchemaObject>>;
  readonly required: readonly string[];
}

export function endpointsOf({ paths, components }: OpenApiDocument): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => {
      const { operationId, tags, servers, parameters = [], requestBody } = operation;
      const body = requestBody?.content["application/json"]?.schema;
      return {
        operationId,
        tag: tags[0] ?? "",
        verb: verb.toUpperCase(),
        path: servers === undefined ? `/api/1${path}` : path,
        properties: {
          ...propertiesOf(body, components.schemas),
          ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        },
        required: [
          ...requiredOf(body, components.schemas),
          ...parameters.filter(({ required }) => required).map(({ name }) => name),
        ],
      };
    }),
  );
}

/** The actions that are no methods: each is also the second segment of a path. */
export function actionsOf({ paths }: OpenApiDocument): readonly string[] {
  const segments = Object.keys(paths).flatMap((path) => path.split("/").slice(2, 3));
  return [...new Set(segments)].filter((segment) => segment !== "{id}");
}
