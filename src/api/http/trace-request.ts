import type { FastifyReply } from "fastify";

import { spanIdOf, traceIdOf, type Tracer } from "../../kit/tracing/tracer.ts";
import type { RequestedOperation } from "./requested-operation.ts";
import { apiRoot } from "./request-path.ts";

interface Answered extends Pick<RequestedOperation, "action" | "resource"> {
  readonly endedAt: number;
}

/** Traces a request to the API by its route, without what it asks for: ids and parameters may be secret. */
export function traceRequest(
  tracer: Tracer,
  { request, statusCode, elapsedTime }: FastifyReply,
  { action, resource, endedAt }: Answered,
): void {
  const caller = callerIn(request.headers.traceparent);
  const traceId = caller?.traceId ?? traceIdOf(`request ${request.id}`);
  if (!tracer.takes(traceId)) return;
  const route = resource === "" ? undefined : `${apiRoot}/${resource}`;
  tracer.record([
    {
      traceId,
      id: spanIdOf(`request ${request.id}`),
      parentId: caller?.spanId,
      name: route === undefined ? request.method : `${action} ${route}`,
      kind: "server",
      startedAt: endedAt - elapsedTime,
      endedAt,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": statusCode,
      },
      error: statusCode >= 500 ? String(statusCode) : undefined,
    },
  ]);
}

/** Where a caller traces its own work (https://www.w3.org/TR/trace-context/). */
function callerIn(
  header: unknown,
): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, traceId = "", spanId = ""] =
    /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(typeof header === "string" ? header : "") ??
    [];
  return traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)
    ? undefined
    : { traceId, spanId };
}
