import type { FastifyRequest } from "fastify";

/** The names of the operation that a request asks for, for the log, the metrics and the form of errors. */
export interface RequestedOperation {
  readonly action: string;
  readonly resource: string;
}

export interface RequestedOperations {
  readonly set: (request: FastifyRequest, operation: RequestedOperation) => void;
  /** The method alone, until the path and the parameters of the request are read. */
  readonly get: (request: FastifyRequest) => RequestedOperation;
}

export function createRequestedOperations(): RequestedOperations {
  const byRequest = new WeakMap<FastifyRequest, RequestedOperation>();
  return {
    set: (request, operation) => void byRequest.set(request, operation),
    get: (request) => byRequest.get(request) ?? { action: request.method, resource: "" },
  };
}
