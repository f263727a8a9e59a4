import type { OperationObject } from "./document.ts";
import { responsesWith } from "./errors.ts";
import { requestBodyOf, okResponse } from "./paths.ts";

const ofTheCheck = { in: "query", required: true, schema: { type: "string" } } as const;

/** The endpoint of heartbeats, which is at the root of the address, outside the API. */
export const heartbeat: OperationObject = {
  servers: [{ url: "/" }],
  operationId: "postHeartbeat",
  tags: ["heartbeats"],
  summary: "Sends a heartbeat of a PUSH check",
  security: [],
  parameters: [
    { name: "id", description: "The check's id", ...ofTheCheck },
    { name: "checktoken", description: "The check's own token", ...ofTheCheck },
  ],
  requestBody: requestBodyOf({
    type: "object",
    properties: {
      data: {
        type: ["object", "array"],
        description:
          "Metrics, nested as you like; the `fields` of the check name them by dotted paths. Without it the heartbeat has no metrics to evaluate",
      },
    },
  }),
  responses: {
    200: okResponse([
      {
        type: "object",
        properties: { success: { const: true } },
        required: ["success"],
        additionalProperties: false,
      },
    ]),
    ...responsesWith([
      "invalid_input",
      "forbidden",
      "conflict",
      "too_large",
      "too_many",
      "internal_error",
      "unavailable",
    ]),
  },
};
