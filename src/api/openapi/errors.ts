import { NotFound } from "../../kit/errors.ts";
import type { Compatibility } from "../http/compatibility.ts";
import { httpStatuses } from "../http/errors.ts";
import type { Reference, ResponseObject } from "./document.ts";
import type { Endpoint } from "./endpoints.ts";
import { componentRef } from "./schemas.ts";
import type { SchemaObject } from "./schemas.ts";

/** What every code means that an answer may have. */
const meanings: Readonly<Record<string, string>> = {
  invalid_input: "A parameter is missing or cannot be taken",
  forbidden: "The token is unknown, or the account is not the token's to use",
  not_found: "There is no such record in the account",
  conflict: "The state of the record does not allow it now",
  too_large: "More than can be taken at once",
  too_many: "Asked for more often than is allowed",
  internal_error: "A fault of Watchpost's own; its log has the rest",
  unavailable: "It cannot be done now, and nothing was kept",
};
const worthAnotherTry: ReadonlySet<string> = new Set(["too_many", "unavailable"]);

export const errorSchema: SchemaObject = {
  type: "object",
  properties: {
    error: { type: "string", description: "One sentence, which names the parameter at fault" },
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
      ...(worthAnotherTry.has(code) ? { headers: retryHeaders } : {}),
      content: { "application/json": { schema: componentRef("Error") } },
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

interface Told {
  /** Those that keep their status. */
  readonly responses: Readonly<Record<string, Reference>>;
  /** What else answers with status 200. */
  readonly bodies: readonly SchemaObject[];
}

/** How a client is told the errors of an operation. */
export function errorsOf(
  { resource, action, operation }: Endpoint,
  compatibility: Compatibility,
): Told {
  const sample = { error: "" };
  const codes = "id" in operation.input.shape ? [...always, "not_found"] : always;
  const told = codes.map((code) => {
    const known = { status: statusOf(code), body: sample };
    const error = code === "not_found" ? new NotFound("") : undefined;
    return {
      code,
      ...compatibility.errorResponse(known, error, { action, resource: resource.name }),
    };
  });
  return {
    responses: responsesWith(told.filter(({ status }) => status !== 200).map(({ code }) => code)),
    bodies: told
      .filter(({ status }) => status === 200)
      .map(({ body }) => (body === sample ? componentRef("Error") : { const: body })),
  };
}
