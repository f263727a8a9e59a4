import type { FastifyReply } from "fastify";

import { hashToken } from "../../../kit/crypto/seal.ts";
import type { Admission } from "../../../kit/http/admission.ts";
import type { Clock } from "../../../kit/clock.ts";
import { callerOf, unknownToken, type Caller } from "../auth.ts";
import { addRateLimitHeaders, type RateLimiter } from "../limits/rate-limit.ts";
import type { RequestedOperations } from "../requested-operation.ts";
import type { Reads } from "../../../store/store.ts";

export interface TokenCallers {
  /** Returns the owner of a request's token and counts the request against the token's limit. Throws if the token is invalid. */
  readonly identify: (token: unknown, reply: FastifyReply) => Promise<Caller>;
}

interface Deps {
  readonly accounts: Reads["accounts"];
  readonly clock: Pick<Clock, "now">;
  readonly admission: Admission;
  readonly limitToken: RateLimiter;
  readonly requested: RequestedOperations;
  readonly noteUse: (digest: string) => void;
}

export function createTokenCallers({
  accounts,
  clock,
  admission,
  limitToken,
  requested,
  noteUse,
}: Deps): TokenCallers {
  return {
    async identify(token, reply) {
      if (typeof token === "string") {
        const digest = hashToken(token);
        const caller = await callerOf(accounts, digest, clock.now());
        if (caller !== undefined) {
          requested.add(reply.request, { compatibility: caller.compatibility });
          // guard: rate of tokens
          addRateLimitHeaders(reply, limitToken(digest));
          noteUse(digest);
          return caller;
        }
      }
      throw admission.countUnknown(admission.clientOf(reply.request.raw)) ?? unknownToken(token);
    },
  };
}
