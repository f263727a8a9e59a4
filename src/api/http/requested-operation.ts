import type { FastifyRequest } from "fastify";

import type { CompatibilityMode } from "../../domain/account/token.ts";

/** Data of a request for the log, the metrics, and the error format. */
export interface RequestedOperation {
  readonly action: string;
  readonly resource: string;
  /** Compatibility mode of its token. */
  readonly compatibility: CompatibilityMode;
}

export interface RequestedOperations {
  readonly add: (request: FastifyRequest, known: Partial<RequestedOperation>) => void;
  /** The method alone, until the path, the parameters and the token of the request are read. */
  readonly get: (request: FastifyRequest) => RequestedOperation;
}

/** `compatibility` is that of requests without a known token. */
export function createRequestedOperations(compatibility: CompatibilityMode): RequestedOperations {
  const byRequest = new WeakMap<FastifyRequest, RequestedOperation>();
  const get = (request: FastifyRequest): RequestedOperation =>
    byRequest.get(request) ?? { action: request.method, resource: "", compatibility };
  return {
    get,
    add: (request, known) => void byRequest.set(request, { ...get(request), ...known }),
  };
}
