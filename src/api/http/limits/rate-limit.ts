import type { FastifyReply } from "fastify";

import type { Clock } from "../../../kit/clock.ts";
import { TooManyRequests } from "../../../kit/errors.ts";
import {
  oneProcess,
  shareOfProcess,
  type Processes,
} from "../../../kit/concurrency/process-share.ts";
import { createWindowCounter } from "../../../kit/concurrency/window-counter.ts";

/** Requests a minute; 0 is no limit. */
export interface RateLimits {
  readonly perToken: number;
  readonly perAddress: number;
  readonly processes?: Processes;
}

/** Counts one request for a key, and returns the headers with the remaining quota (draft-ietf-httpapi-ratelimit-headers-10). Throws TooManyRequests. */
export type RateLimiter = (key: string) => Readonly<Record<string, string>>;

const WINDOW_SECONDS = 60;

export function createRateLimiter(
  policy: "token" | "address",
  limit: number,
  clock: Pick<Clock, "monotonic">,
  processes = oneProcess,
): RateLimiter {
  if (limit === 0) return () => ({});
  const requests = createWindowCounter(clock, WINDOW_SECONDS * 1000);
  return (key) => {
    const perMinute = shareOfProcess(limit, processes);
    // A refused request counts too.
    const left = perMinute - requests.add(key);
    const seconds = Math.max(1, Math.ceil(requests.msLeft(key) / 1000));
    const headers = {
      "ratelimit-policy": `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
      ratelimit: `"${policy}";r=${Math.max(0, left)};t=${seconds}`,
    };
    if (left >= 0) return headers;
    const message = `more than ${perMinute} requests a minute from one ${policy}`;
    throw new TooManyRequests(message, seconds, headers);
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
