import manifest from "../../../package.json" with { type: "json" };
import type { Compatibility } from "../http/compatibility.ts";
import type { OpenApi, OperationObject } from "./document.ts";
import { endpointsOf, operationIdOf, responseOf } from "./endpoints.ts";
import { errorResponses, errorSchema, responsesWith } from "./errors.ts";
import { heartbeatPaths } from "./heartbeat.ts";
import { bodySchemas, okResponse, operationObject } from "./paths.ts";
import { responseSchemas } from "./schemas.ts";
import { signInPaths } from "./sign-in.ts";
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

/** In legacy mode an error may not have its own status. */
function usedIn(paths: OpenApi["paths"]): OpenApi["components"]["responses"] {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(errorResponses).filter(([code]) =>
      text.includes(`"#/components/responses/${code}"`),
    ),
  );
}

/** The conventions of requests, as Markdown. */
export const requestConventions = `**Token.** \`token\` in the query, the form or the JSON, \`Authorization: Bearer\`, or the user name of HTTP Basic authentication; the password is ignored. If both are sent, the parameter
counts. A token belongs to a primary account and has full access to it and to its subaccounts. Pages of any origin may call the API.

**Account.** \`customerid\` names a subaccount; without it the request is about the token's own account. A record is found only in the account that it
belongs to. Where the ids of records begin with the id of their account, an account id in the path stands for \`customerid\`.

**Parameters** may be sent in any of these ways, with every method, GET and DELETE included:

1. in the query
2. in a form body
3. as an object in the parameter \`json\` of the query
4. as an object in the parameter \`json\` of a form or of a JSON body
5. as a JSON body

Where a parameter is sent more than once, the later of these takes precedence; an id in the path takes precedence over all. A body that begins with \`{\` is parsed as JSON, whatever its
content type.

- What is not understood is ignored, and named in the response: in the header \`X-Watchpost-Warning\`, and for one record or a write in its member \`warning\` too. \`null\` is the same as not sent, and so is empty text unless the parameter says otherwise.
- Booleans are \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\`, \`off\`, as JSON or as text in any case.
- Lists and objects are JSON, JSON text (\`fields={"a":{"name":"load"}}\`) or brackets (\`fields[a][name]=load\`, \`runlocations[]=nam\`). Keys that count from 0 make a list.
- Instants are ms since 1970, \`YYYY-MM-DD HH:MM:SS\` or a prefix of it, ISO 8601, or a date as in mail (RFC 2822); GMT unless they name a zone.
- A query parameter that is repeated is a list: \`id=a&id=b\`.

**Method.** The parameter \`action\` replaces the method, in any case: \`?action=DELETE\`. It also selects operations that are no methods, such as \`CURRENT\`; their
name may be the first segment of the path instead, with GET or POST: \`/results/current\`.

**Paths** may end in a slash. An operation that takes no id ignores one in the path. HEAD is the same as GET, without the body.`;
