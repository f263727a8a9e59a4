import manifest from "../../../package.json" with { type: "json" };
import type { Compatibility } from "../http/compatibility.ts";
import type { OpenApi, OperationObject } from "./document.ts";
import { endpointsOf, operationIdOf } from "./endpoints.ts";
import { errorResponses, errorSchema, responsesWith } from "./errors.ts";
import { heartbeat } from "./heartbeat.ts";
import { bodyNameOf, bodySchema, operationObject, okResponse } from "./paths.ts";
import { responseSchemas } from "./schemas.ts";
import { requestConventions } from "./request-conventions.ts";
import type { Resource } from "../operation.ts";

/** Where the document stands below the root of the API. */
export const documentPath = "/openapi.json";

const getDocument: OperationObject = {
  operationId: "getDocument",
  tags: ["reference"],
  summary: "Gives this document",
  security: [],
  responses: {
    200: okResponse([{ type: "object" }]),
    304: { description: "It has not changed" },
    ...responsesWith(["invalid_input", "too_large", "too_many"]),
  },
};

/** The API as an OpenAPI document: what its resources say of themselves, for the mode that runs. */
export function openApiOf(
  resources: readonly Resource[],
  { root, compatibility }: { readonly root: string; readonly compatibility: Compatibility },
): OpenApi {
  const endpoints = resources.flatMap(endpointsOf);
  const { answers, components } = responseSchemas(
    Object.fromEntries(endpoints.map((each) => [operationIdOf(each), each.operation.response])),
  );
  const operations = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, atPath]) => [
    path,
    Object.fromEntries(
      atPath.map((each) => [
        each.verb,
        operationObject(each, {
          answer: answers[operationIdOf(each)] ?? {},
          compatibility,
        }),
      ]),
    ),
  ]);
  const bodies = endpoints.flatMap((each) => {
    const name = bodyNameOf(each);
    return name === undefined ? [] : [[name, bodySchema(each)]];
  });
  return {
    openapi: "3.1.0",
    info: { title: "Watchpost", version: manifest.version, description: requestConventions },
    servers: [{ url: root }],
    security: [{ basic: [] }, { token: [] }],
    tags: [
      ...resources.map(({ name, summary }) => ({ name, description: summary })),
      { name: "heartbeats", description: "What your systems report" },
      { name: "reference", description: "What the API says of itself" },
    ],
    paths: {
      ...Object.fromEntries(operations),
      [documentPath]: { get: getDocument },
      "/v1": { post: heartbeat },
    },
    components: {
      securitySchemes: {
        basic: {
          type: "http",
          scheme: "basic",
          description: "The token is the user name, and there is no password",
        },
        token: { type: "apiKey", in: "query", name: "token" },
      },
      schemas: { ...components, ...Object.fromEntries(bodies), Error: errorSchema },
      responses: errorResponses,
    },
  };
}
