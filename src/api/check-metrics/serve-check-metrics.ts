import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { primaryIdOf, type Account } from "../../domain/account/account.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { ApiDeps } from "../deps.ts";
import { tokenInRequest, resolveScope, type Caller } from "../http/auth.ts";
import type { TokenCallers } from "../http/callers/token-callers.ts";
import type { FairRequests } from "../http/limits/fair-requests.ts";
import { addRateLimitHeaders, type RateLimiter } from "../http/limits/rate-limit.ts";
import { parseAddress } from "../http/parse-request.ts";
import type { BodySender } from "../http/responses/send-body.ts";
import { checkMetrics } from "./check-metrics.ts";

interface Deps extends Pick<ApiDeps, "store" | "clock" | "admission"> {
  readonly limitAddress: RateLimiter;
  readonly callers: TokenCallers;
  readonly fairRequests: FairRequests;
  readonly bodies: BodySender;
}

export const CHECK_METRICS_PATH = "/metrics/checks";
const parameters: ReadonlySet<string> = new Set(["token", "customerid"]);

/** Serves the metrics of an account's checks to requests with a token of the account. */
export function serveCheckMetrics(app: FastifyInstance, deps: Deps): void {
  const { store, admission, limitAddress, callers, fairRequests, bodies } = deps;
  const accountsOf = async (
    caller: Caller,
    customerid: unknown,
  ): Promise<readonly Pick<Account, "id" | "timeZone">[]> => {
    const wanted = { customerid, allowsDeleted: false };
    const { account } = await resolveScope(store.accounts, caller, wanted);
    if (customerid !== undefined) return [account];
    const summaries = await store.accounts.listWithSubaccounts(account.id);
    return summaries.map((each) => each.account);
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    addRateLimitHeaders(reply, limitAddress(admission.clientOf(request.raw)));
    const { query } = parseAddress(request.url);
    const token = tokenInRequest(query.token, request.headers.authorization);
    const caller = await callers.identify(token, reply);
    const unknown = Object.keys(query).find((name) => !parameters.has(name));
    if (unknown !== undefined)
      throw new InvalidInput(`${unknown}: not known here; there are token and customerid`);
    const body = await fairRequests.run(primaryIdOf(caller.account), async () =>
      checkMetrics(deps, await accountsOf(caller, query.customerid)),
    );
    return bodies.send(body, reply);
  };
  app.get(CHECK_METRICS_PATH, answer);
}
