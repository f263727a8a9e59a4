import type { FastifyReply, FastifyRequest } from "fastify";

import { primaryIdOf } from "../../domain/account/account.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { bodyText } from "../../kit/http/body-text.ts";
import type { AccountReads, Caller } from "../../store/accounts.ts";
import type { Resource, ResponseBody } from "../operation.ts";
import { callerOf, givenToken, resolveScope, unknownToken } from "./auth.ts";
import type { FairRequests } from "./limits/fair-requests.ts";
import { parseAddress, parseRequest } from "./parse-request.ts";
import { addRateLimitHeaders } from "./limits/rate-limit.ts";
import type { RateLimiter } from "./limits/rate-limit.ts";
import { apiRoot } from "./request-path.ts";
import type { RequestedOperations } from "./requested-operation.ts";
import { routeOf } from "./route.ts";
import { keepConnectionIfRead } from "./unread-body.ts";
import { createWarnings, withWarnings } from "./warnings.ts";

interface Deps {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly accounts: AccountReads;
  readonly admission: Admission;
  readonly limitToken: RateLimiter;
  readonly requested: RequestedOperations;
  readonly fairRequests: FairRequests;
}

export const MOST_BODY_BYTES = 1_048_576;

/**
 * Authenticates a request by its header or query before it reads the body, or else by the body, counts it against the limit of its token,
 * and runs the operation that it asks for.
 */
export function createRequestHandler({
  resources,
  accounts,
  admission,
  limitToken,
  requested,
  fairRequests,
}: Deps): (request: FastifyRequest, reply: FastifyReply) => Promise<ResponseBody> {
  const identify = async (token: unknown, reply: FastifyReply): Promise<Caller> => {
    if (typeof token === "string") {
      const digest = hashToken(token);
      const caller = await callerOf(accounts, digest);
      if (caller !== undefined) {
        requested.add(reply.request, { compatibility: caller.compatibility });
        addRateLimitHeaders(reply, await limitToken(digest));
        return caller;
      }
    }
    throw admission.countUnknown(admission.clientOf(reply.request.raw)) ?? unknownToken(token);
  };

  return async (request, reply) => {
    const { headers, method, raw, url } = request;
    const address = parseAddress(url);
    const beside = givenToken(address.json.token ?? address.query.token, headers.authorization);
    const known = beside === undefined ? undefined : await identify(beside, reply);
    const { bytes, giveBack } = await admission.readBody(raw, reply.raw, {
      mostBytes: MOST_BODY_BYTES,
      isKnown: known !== undefined,
    });
    keepConnectionIfRead(reply);
    const body = bytes.length === 0 ? undefined : bodyText(bytes, headers);
    request.body = body;
    const contentType = headers["content-type"];
    const parsed = parseRequest({ method, url, contentType, body }, apiRoot, address);
    const { resource, action, operation, values } = routeOf(resources, parsed);
    requested.add(request, { action, resource: resource.name });
    const token = givenToken(parsed.token, headers.authorization);
    const caller = known !== undefined && token === beside ? known : await identify(token, reply);
    giveBack();
    const scope = await resolveScope(accounts, caller, {
      customerid: "customerid" in operation.input.shape ? values.customerid : undefined,
      allowsDeleted: operation.allowsDeletedAccount,
    });
    const warnings = createWarnings();
    const call = { ...scope, action, warn: warnings.add };
    const answer = await fairRequests.run(primaryIdOf(caller.account), () =>
      operation.handle(values, call),
    );
    return withWarnings(answer, warnings, { action, reply });
  };
}
