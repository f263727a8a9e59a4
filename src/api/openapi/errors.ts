import { NotFound } from "../../kit/errors.ts";
import type { Compatibility } from "../http/compatibility.ts";
import { httpStatuses } from "../http/errors.ts";
import type { Reference, ResponseObject } from "./document.ts";
import type { Endpoint } from "./endpoints.ts";
import { errorExampleOf, withExample } from "./examples.ts";
import { componentRef, type SchemaObject } from "./schemas.ts";

/** The meaning of every error code. */
const meanings: Readonly<Record<string, string>> = {
  invalid_input: "A parameter is missing or invalid",
  forbidden: "The token is unknown, or has no access to the account",
  not_found: "The account has no such record",
  conflict: "The state of the record does not allow it now",
  gone: "It has been used, or has expired",
  too_large: "The request is too large",
  too_many: "A rate limit is exceeded",
  internal_error: "An internal error; the log has the details",
  unavailable:
    "It cannot be done now; nothing was changed, unless the sentence says that this is not known",
};
const retryable: ReadonlySet<string> = new Set(["too_many", "unavailable"]);

export const errorSchema: SchemaObject = {
  type: "object",
  properties: {
    error: { type: "string", description: "One sentence, which names the invalid parameter" },
  },
  required: ["error"],
  additionalProperties: false,
};

const retryHeaders = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
};

export const errorResponses: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  Object.entries(meanings).map(([code, description]) => [
    code,
    {
      description,
      ...(retryable.has(code) ? { headers: retryHeaders } : {}),
      content: {
        "application/json": withExample(
          { schema: componentRef("Error") },
          errorExampleOf(statusOf(code)),
        ),
      },
    },
  ]),
);

/** The responses with these codes, by status. */
export function responsesWith(codes: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    codes.map((code) => [statusOf(code), { $ref: `#/components/responses/${code}` }]),
  );
}

function statusOf(code: string): number {
  return httpStatuses[code] ?? 500;
}

const always = [
  "invalid_input",
  "forbidden",
  "too_large",
  "too_many",
  "internal_error",
  "unavailable",
];

interface ErrorResponses {
  /** Errors with their own status. */
  readonly responses: Readonly<Record<string, Reference>>;
  /** The bodies of errors with status 200. */
  readonly bodies: readonly SchemaObject[];
}

/** The errors of an operation, in the form of the compatibility mode. */
export function errorsOf(
  { resource, action, operation }: Endpoint,
  compatibility: Compatibility,
): ErrorResponses {
  const sample = { error: "" };
  const codes = "id" in operation.input.shape ? [...always, "not_found"] : always;
  const errors = codes.map((code) => {
    const known = { status: statusOf(code), body: sample };
    const error = code === "not_found" ? new NotFound("") : undefined;
    return {
      code,
      ...compatibility.errorResponse(known, error, { action, resource: resource.name }),
    };
  });
  return {
    responses: responsesWith(errors.filter(({ status }) => status !== 200).map(({ code }) => code)),
    bodies: errors
      .filter(({ status }) => status === 200)
      .map(({ body }) => (body === sample ? componentRef("Error") : { const: body })),
  };
}
