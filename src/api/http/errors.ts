import { AppError, codeOf } from "../../kit/errors.ts";

/** The path exists, but not for this method. */
export class MethodNotAllowed extends AppError {
  readonly code = "method_not_allowed";
  readonly allowed: readonly string[];

  constructor(message: string, allowed: readonly string[]) {
    super(message);
    this.allowed = allowed;
  }
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: { readonly error: string };
}

export const httpStatuses: Readonly<Record<string, number>> = {
  invalid_input: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  too_many: 429,
  unavailable: 503,
};

/** Returns the response to an error; undefined for an unknown error, whose details clients must not see. */
export function errorResponse(error: unknown): ErrorResponse | undefined {
  if (error instanceof AppError) {
    const status = httpStatuses[error.code];
    return status === undefined ? undefined : { status, body: { error: onOneLine(error.message) } };
  }
  // An error of Fastify itself, before a handler is called.
  if (codeOf(error) === "FST_ERR_BAD_URL")
    return { status: 400, body: { error: "path: not valid percent-encoding" } };
  return undefined;
}

/** Replaces characters that line-based readers may take for line ends, because JSON does not escape them (ECMA-404). */
function onOneLine(sentence: string): string {
  return sentence.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
