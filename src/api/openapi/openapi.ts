import manifest from "../../../package.json" with { type: "json" };
import type { Compatibility } from "../http/compatibility.ts";
import type { OpenApi, OperationObject } from "./document.ts";
import { endpointsOf, operationIdOf, responseOf } from "./endpoints.ts";
import { errorResponses, errorSchema, responsesWith } from "./errors.ts";
import { heartbeatPaths } from "./heartbeat.ts";
import { bodySchemas, operationObject, okResponse } from "./paths.ts";
import { responseSchemas } from "./schemas.ts";
import { signInPaths } from "./sign-in.ts";
import { requestConventions } from "./request-conventions.ts";
import type { Resource } from "../operation.ts";
import { SIGN_IN, signInSummary } from "../sign-in/operations.ts";

const license = {
  name: "Apache License 2.0",
  url: "https://www.apache.org/licenses/LICENSE-2.0",
};

/** The path of the document below the root of the API. */
export const documentPath = "/openapi.json";

const getDocument: OperationObject = {
  operationId: "getDocument",
  tags: ["reference"],
  summary: "Returns this document",
  description:
    "Returns the description of the API that you are reading. It needs no token, and has an entity tag.",
  security: [],
  responses: {
    200: okResponse([{ type: "object" }]),
    304: { description: "It has not changed" },
    ...responsesWith(["invalid_input", "too_large", "too_many"]),
  },
};

/** The API as an OpenAPI document, derived from its resources, for one compatibility mode. */
export function openApiOf(
  resources: readonly Resource[],
  { root, compatibility }: { readonly root: string; readonly compatibility: Compatibility },
): OpenApi {
  const endpoints = resources.flatMap(endpointsOf);
  const { answers, components } = responseSchemas(
    Object.fromEntries(endpoints.map((each) => [operationIdOf(each), responseOf(each)])),
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
  const paths: OpenApi["paths"] = {
    ...Object.fromEntries(operations),
    [documentPath]: { get: getDocument },
    ...heartbeatPaths,
    ...signInPaths,
  };
  const bodies = endpoints.flatMap(bodySchemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Watchpost",
      version: manifest.version,
      description: requestConventions,
      license,
    },
    servers: [{ url: root }],
    security: [{ bearer: [] }, { basic: [] }, { token: [] }, { session: [] }],
    tags: [
      ...resources.map(({ name, summary }) => ({ name, description: summary })),
      { name: "heartbeats", description: "Reports of your own systems for PUSH checks" },
      { name: SIGN_IN, description: signInSummary },
      { name: "reference", description: "The description of the API" },
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: {
          type: "http",
          scheme: "basic",
          description: "The token is the user name; the password is ignored",
        },
        token: { type: "apiKey", in: "query", name: "token" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-watchpost-session",
          description:
            "A contact that is signed in, for pages of this installation alone; without TLS the name is `watchpost-session`. A change needs POST, PUT or DELETE",
        },
      },
      schemas: { ...components, ...Object.fromEntries(bodies), Error: errorSchema },
      responses: usedIn(paths),
    },
  };
}

/** In legacy mode an error may have no status of its own. */
function usedIn(paths: OpenApi["paths"]): OpenApi["components"]["responses"] {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(errorResponses).filter(([code]) =>
      text.includes(`"#/components/responses/${code}"`),
    ),
  );
}
