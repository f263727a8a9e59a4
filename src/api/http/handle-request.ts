import type { FastifyReply, FastifyRequest } from "fastify";

import { primaryIdOf } from "../../domain/account/account.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { bodyText } from "../../kit/http/body-text.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Resource, ResponseBody } from "../operation.ts";
import type { Quota } from "../quota.ts";
import { auditedWrites } from "./callers/audit-trail.ts";
import {
  assertAccess,
  tokenInRequest,
  resolveScope,
  type Caller,
  type RequestWrites,
} from "./auth.ts";
import type { FairRequests } from "./limits/fair-requests.ts";
import { parseAddress, parseRequest } from "./parse-request.ts";
import { addRateLimitHeaders, type RateLimiter } from "./limits/rate-limit.ts";
import { apiRoot } from "./request-path.ts";
import type { RequestedOperations } from "./requested-operation.ts";
import { isStillAllowed } from "./callers/still-allowed.ts";
import { routeOf } from "./route.ts";
import {
  assertSentByPage,
  sessionCallerOf,
  type BrowserSessions,
} from "./callers/session-caller.ts";
import type { TokenCallers } from "./callers/token-callers.ts";
import { keepConnectionIfRead } from "./responses/unread-body.ts";
import { createWarnings, withWarnings } from "./warnings.ts";

interface Deps {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly store: Pick<Store, "accounts" | "write">;
  readonly quota: Pick<Quota, "write">;
  readonly clock: Pick<Clock, "now">;
  readonly admission: Admission;
  readonly limitToken: RateLimiter;
  readonly requested: RequestedOperations;
  readonly fairRequests: FairRequests;
  readonly callers: TokenCallers;
  readonly sessions: BrowserSessions;
}

export const MAX_BODY_BYTES = 1_048_576;

/**
 * Authenticates a request by its header or query before it reads the body, or else by the body, counts it against the limit of its token,
 * and runs the operation that it asks for.
 */
export function createRequestHandler(
  deps: Deps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<ResponseBody> {
  const { resources, store, quota, admission, limitToken } = deps;
  const { requested, fairRequests, sessions } = deps;
  const { identify } = deps.callers;

  /** A session counts like a token. */
  const identifySession = async (reply: FastifyReply): Promise<Caller | undefined> => {
    const caller = await sessionCallerOf(sessions, reply.request.headers);
    if (caller === undefined) return undefined;
    const { digest, ...rest } = caller;
    requested.add(reply.request, { compatibility: rest.compatibility });
    addRateLimitHeaders(reply, limitToken(digest));
    return rest;
  };

  /** The primary accounts share the time of commits. */
  const writesOf = (accountId: string): RequestWrites => ({
    write: (unit, options) =>
      store.write(unit, /* guard: accounts of units = { ...options } */ { accountId, ...options }),
    writeWithinLimits: (account, unit, options) =>
      quota.write(
        account,
        unit,
        /* guard: accounts of units = { ...options } */ { accountId, ...options },
      ),
  });

  return async (request, reply) => {
    const { headers, method, raw, url } = request;
    const address = parseAddress(url);
    const beside = tokenInRequest(address.json.token ?? address.query.token, headers.authorization);
    const known =
      // guard: authentication before bodies = undefined
      beside === undefined ? await identifySession(reply) : await identify(beside, reply);
    const { bytes, giveBack } = await admission.readBody(raw, reply.raw, {
      // guard: size of requests = 2 ** 30
      limitBytes: MAX_BODY_BYTES,
      isKnown: known !== undefined,
    });
    keepConnectionIfRead(reply);
    const body = bytes.length === 0 ? undefined : bodyText(bytes, headers);
    request.body = body;
    const contentType = headers["content-type"];
    const parsed = parseRequest({ method, url, contentType, body }, apiRoot, address);
    const route = routeOf(resources, parsed);
    const { resource, action, operation, values } = route;
    requested.add(request, { action, resource: resource.name });
    const token = tokenInRequest(parsed.token, headers.authorization);
    const caller = known !== undefined && token === beside ? known : await identify(token, reply);
    giveBack();
    const customerid = "customerid" in operation.input.shape ? values.customerid : undefined;
    const scope = await resolveScope(store.accounts, caller, {
      customerid,
      allowsDeleted: operation.allowsDeletedAccount,
    });
    if (caller.actor.kind === "session") assertSentByPage(request, operation, sessions);
    // guard: what a caller may do
    assertAccess(scope, operation.needs);
    const warnings = createWarnings();
    const accountId = primaryIdOf(caller.account);
    const audited = { ...route, scope, client: admission.clientOf(raw) };
    const answer = await fairRequests.run(accountId, () =>
      operation.handle(values, {
        ...scope,
        ...auditedWrites(audited, writesOf(accountId), deps.clock),
        action,
        warn: warnings.add,
        isStillAllowed: () =>
          isStillAllowed(
            { ...deps, accounts: store.accounts },
            { token, headers, customerid, operation },
          ),
      }),
    );
    return withWarnings(answer, warnings, { action, reply });
  };
}
