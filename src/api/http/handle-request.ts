import type { FastifyReply, FastifyRequest } from "fastify";

import type { AccountReads } from "../../store/accounts.ts";
import type { Resource, ResponseBody } from "../operation.ts";
import { authenticate, resolveScope, tokenDigest } from "./auth.ts";
import type { FairRequests } from "./fair-requests.ts";
import { parseRequest } from "./parse-request.ts";
import { addRateLimitHeaders } from "./rate-limit.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { apiRoot } from "./request-path.ts";
import type { RequestedOperations } from "./requested-operation.ts";
import { routeOf } from "./route.ts";

interface Deps {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly accounts: AccountReads;
  readonly limitToken: RateLimiter;
  readonly requested: RequestedOperations;
  readonly fairRequests: FairRequests;
}

/** Reads a request, authenticates it, counts it against the limit of its token, and runs the operation that it asks for. */
export function createRequestHandler({
  resources,
  accounts,
  limitToken,
  requested,
  fairRequests,
}: Deps): (request: FastifyRequest, reply: FastifyReply) => Promise<ResponseBody> {
  return async (request, reply) => {
    const { headers, method, url, body } = request;
    const parsed = parseRequest(
      {
        method,
        url,
        contentType: headers["content-type"],
        body: typeof body === "string" ? body : undefined,
      },
      apiRoot,
    );
    const { resource, action, operation, values } = routeOf(resources, parsed);
    requested.set(request, { action, resource: resource.name });
    const digest = tokenDigest(parsed.token, headers.authorization);
    const caller = await authenticate(accounts, digest);
    addRateLimitHeaders(reply, await limitToken(digest));
    const scope = await resolveScope(accounts, caller, {
      customerid: "customerid" in operation.input.shape ? values.customerid : undefined,
      allowsDeleted: operation.allowsDeletedAccount,
    });
    return fairRequests.run(caller.id, () => operation.handle(values, scope));
  };
}
