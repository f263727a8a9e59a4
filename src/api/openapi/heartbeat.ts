import type { OperationObject } from "./document.ts";
import { responsesWith } from "./errors.ts";
import { requestBodyOf, okResponse } from "./paths.ts";

const ofTheCheck = { in: "query", required: true, schema: { type: "string" } } as const;

/** The intake of heartbeats: it stands beside the API, at the root of the address. */
export const heartbeat: OperationObject = {
  servers: [{ url: "/" }],
  operationId: "postHeartbeat",
  tags: ["heartbeats"],
  summary: "Reports for a check that waits to hear from your system",
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
          "Metrics, however nested; the check's `fields` name them by dotted paths. Without it the heartbeat only proves life",
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
      "internal_error",
      "unavailable",
    ]),
  },
};
