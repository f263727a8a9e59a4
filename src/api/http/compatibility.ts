import type { CompatibilityMode } from "../../domain/account/token.ts";
import { NotFound } from "../../kit/errors.ts";
import type { ErrorResponse } from "./errors.ts";

/** What differs for clients that were written against the original service. */
export interface Compatibility {
  /** `firstdown` of a check that passes. */
  readonly firstDownWhenPassing: false | 0;
  readonly errorResponse: (
    answer: ErrorResponse,
    error: unknown,
    call: { readonly action: string; readonly resource: string },
  ) => LegacyAnswer;
}

interface LegacyAnswer {
  readonly status: number;
  readonly body: unknown;
}

const standard: Compatibility = { firstDownWhenPassing: false, errorResponse: (answer) => answer };

/** The bodies of a GET for a missing record of these resources, in place of an error. */
const emptyBodies: Readonly<Record<string, unknown>> = {
  contacts: {},
  contactgroups: {},
  maintenance: {},
  schedules: "",
};

const legacy: Compatibility = {
  firstDownWhenPassing: 0,
  errorResponse({ status, body }, error, { action, resource }) {
    if (error instanceof NotFound && action === "GET" && Object.hasOwn(emptyBodies, resource)) {
      return { status: 200, body: emptyBodies[resource] };
    }
    // A client that retries needs the status to know that it has to wait.
    return { status: status === 403 || status === 429 || status >= 500 ? status : 200, body };
  },
};

export function compatibilityOf(mode: CompatibilityMode): Compatibility {
  return mode === "legacy" ? legacy : standard;
}
