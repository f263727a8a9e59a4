import type { FastifyReply } from "fastify";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

import { TooManyRequests } from "../../../kit/errors.ts";
import {
  oneProcess,
  shareOfProcess,
  type Processes,
} from "../../../kit/concurrency/process-share.ts";

/** Requests a minute; 0 is no limit. */
export interface RateLimits {
  readonly perToken: number;
  readonly perAddress: number;
  readonly processes?: Processes;
}

/** Counts one request for a key, and returns the headers with the remaining quota (draft-ietf-httpapi-ratelimit-headers-10). Throws TooManyRequests. */
export type RateLimiter = (key: string) => Promise<Readonly<Record<string, string>>>;

const WINDOW_SECONDS = 60;

export function createRateLimiter(
  policy: "token" | "address",
  limit: number,
  processes = oneProcess,
): RateLimiter {
  if (limit === 0) return () => Promise.resolve({});
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (key) => {
    const perMinute = shareOfProcess(limit, processes);
    limiter.points = perMinute;
    try {
      return headersOf(policy, perMinute, await limiter.consume(key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new TooManyRequests(
        `more than ${perMinute} requests a minute from one ${policy}`,
        secondsOf(error),
        headersOf(policy, perMinute, error),
      );
    }
  };
}

/** Adds the headers of one more limit; several stand in one list (RFC 9651, section 3.1). */
export function addRateLimitHeaders(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(headers)) {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
  }
}

function headersOf(
  policy: string,
  perMinute: number,
  state: RateLimiterRes,
): Readonly<Record<string, string>> {
  return {
    "ratelimit-policy": `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${state.remainingPoints};t=${secondsOf(state)}`,
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
