import type {
  OpenApi,
  OperationObject,
  ParameterObject,
  RequestBody,
  ResponseObject,
} from "./document.ts";
import { responsesWith } from "./errors.ts";
import { exampleOf, withExample, withValues } from "./examples.ts";
import { okResponse, requestBodyOf } from "./paths.ts";

const text = { type: "string" } as const;

const sender = [
  { name: "id", description: "The check's id", required: true, schema: text },
  { name: "checktoken", description: "The check's own token", required: true, schema: text },
] as const;

const ofTheRun: readonly ParameterObject[] = [
  {
    name: "status",
    in: "query",
    description: "`up` is a success, anything else a failure",
    schema: text,
  },
  {
    name: "msg",
    in: "query",
    description: "What the result says; of a longer text the first 250 characters",
    schema: text,
  },
  { name: "ping", in: "query", description: "The run time in ms", schema: text },
  {
    name: "rid",
    in: "query",
    description: "Tells runs apart that go on at one time: at most 64 letters, digits, `.:_-`",
    schema: text,
  },
];

const signal: ParameterObject = {
  name: "signal",
  in: "path",
  description:
    "`start`: a run begins. `fail`: it failed. `0` to `255`: the exit code that it ended with. `log`: text to keep with the last result, which changes no state",
  required: true,
  schema: { type: "string", pattern: "^(start|fail|log|25[0-5]|2[0-4]\\d|1?\\d?\\d)$" },
};

const metrics: RequestBody = requestBodyOf(
  {
    type: "object",
    properties: {
      data: {
        type: ["object", "array"],
        items: {},
        description:
          "Metrics, nested as you like; the `fields` of the check name them by dotted paths. Without it the heartbeat has no metrics to evaluate",
      },
    },
  },
  exampleOf("postHeartbeat").body,
);

const evidence: RequestBody = {
  content: { ...metrics.content, "text/plain": { schema: text } },
};

const accepted = okResponse(
  [
    {
      type: "object",
      properties: { success: { const: true } },
      required: ["success"],
      additionalProperties: false,
    },
  ],
  exampleOf("postHeartbeat").answer,
);

const acceptedAsText: ResponseObject = {
  description: "Done",
  content: {
    "text/plain": withExample(
      { schema: { enum: ["OK", "OK, but not kept: there is no result yet"] } },
      exampleOf("postHeartbeatByPath").answer,
    ),
  },
};

const refusals = responsesWith([
  "invalid_input",
  "forbidden",
  "conflict",
  "too_large",
  "too_many",
  "internal_error",
  "unavailable",
]);

interface Form {
  /** Suffix of the operation IDs. */
  readonly name: string;
  readonly parameters: readonly ParameterObject[];
  readonly body: RequestBody;
  readonly accepted: ResponseObject;
}

/** The endpoints of heartbeats, which are at the root of the address, outside the API. */
export const heartbeatPaths: OpenApi["paths"] = {
  "/v1": operationsOf({
    name: "Heartbeat",
    parameters: [...sender.map((each) => ({ ...each, in: "query" as const })), ...ofTheRun],
    body: metrics,
    accepted,
  }),
  "/v1/{id}/{checktoken}": operationsOf({
    name: "HeartbeatByPath",
    parameters: [...inPath(), ...ofTheRun],
    body: evidence,
    accepted: acceptedAsText,
  }),
  "/v1/{id}/{checktoken}/{signal}": operationsOf({
    name: "HeartbeatSignal",
    parameters: [...inPath(), signal, ...ofTheRun],
    body: evidence,
    accepted: acceptedAsText,
  }),
};

function inPath(): readonly ParameterObject[] {
  return sender.map((each) => ({ ...each, in: "path" }));
}

/** Any method that fetches a URL sends a heartbeat. */
function operationsOf({
  name,
  parameters,
  body,
  accepted: answer,
}: Form): OpenApi["paths"][string] {
  const operation = (verb: string): OperationObject => ({
    servers: [{ url: "/" }],
    operationId: `${verb}${name}`,
    tags: ["heartbeats"],
    summary: "Sends a heartbeat of a PUSH check",
    description:
      "Sends a heartbeat of a PUSH check. Every method that fetches a URL does the same; it is answered once the heartbeat is stored.",
    security: [],
    parameters: withValues(parameters, exampleOf(`post${name}`)),
    responses: { 200: answer, ...refusals },
  });
  return {
    get: operation("get"),
    head: operation("head"),
    post: { ...operation("post"), requestBody: body },
    put: { ...operation("put"), requestBody: body },
  };
}
