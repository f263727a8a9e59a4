import type { SchemaObject } from "./schemas.ts";

/** The parts of an OpenAPI document that this API uses. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<"title" | "version" | "description", string>> & {
    readonly license: Readonly<Record<"name" | "url", string>>;
  };
  readonly servers: readonly Server[];
  readonly security: readonly Security[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly servers?: readonly Server[];
  readonly security?: readonly Security[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBody;
  /** Responses by status. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface RequestBody {
  readonly content: Content;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

export interface Reference {
  readonly $ref: string;
}

type Content = Readonly<
  Record<string, { readonly schema: SchemaObject; readonly example?: unknown }>
>;
type Security = Readonly<Record<string, readonly string[]>>;

interface Server {
  readonly url: string;
}
