import type { FastifyReply, FastifyRequest } from "fastify";

import { TooManyRequests } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import { compatibilityOf } from "../compatibility.ts";
import { errorResponse, MethodNotAllowed, type ErrorResponse } from "../errors.ts";
import { addRateLimitHeaders } from "../limits/rate-limit.ts";
import { isApiRequest, loggedPathOf } from "../request-path.ts";
import type { RequestedOperations } from "../requested-operation.ts";
import { sendJson } from "./send-body.ts";
import { keepConnectionIfRead } from "./unread-body.ts";

export type SendError = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

const RETRY_AFTER_SECONDS = 5;

/** Turns an error into a response in the form of the compatibility mode of its request; an unknown one is logged and gets a reference. */
export function createErrorSender({
  log,
  requested,
}: {
  readonly log: Log;
  readonly requested: RequestedOperations;
}): SendError {
  const internalError = (error: Error, request: FastifyRequest): ErrorResponse => {
    const fields = {
      reference: request.id,
      method: request.method,
      path: loggedPathOf(request),
      from: request.ip,
      error: error.stack,
    };
    log.error("api.internal_error", fields, error.message);
    return {
      status: 500,
      body: {
        error: /* guard: opaque internal errors = error.message */ `Internal error, reference ${request.id}`,
      },
    };
  };
  return (error, request, reply) => {
    const known = errorResponse(error) ?? internalError(error, request);
    const operation = requested.get(request);
    const { status, body } = isApiRequest(request)
      ? compatibilityOf(operation.compatibility).errorResponse(known, error, operation)
      : known;
    keepConnectionIfRead(reply);
    if (error instanceof TooManyRequests) {
      addRateLimitHeaders(reply, error.headers);
      reply.header("retry-after", error.retryAfterSeconds);
    }
    if (error instanceof MethodNotAllowed) reply.header("allow", error.allowed.join(", "));
    if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    return sendJson(body, reply.code(status));
  };
}
