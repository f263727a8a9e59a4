import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

import { TooManyRequests } from "../../kit/errors.ts";

/** How many requests a minute are taken; 0 is no limit. */
export interface RateLimits {
  readonly perToken: number;
  readonly perAddress: number;
}

/** Counts one request for a key, and gives the headers that say what is left (draft-ietf-httpapi-ratelimit-headers-10). Throws TooMany. */
export type RateLimiter = (key: string) => Promise<Readonly<Record<string, string>>>;

const WINDOW_SECONDS = 60;
/** What one subscriber commonly has to himself of IPv6, so that he has one count. */
const SUBSCRIBER_BITS = 64;

export function createRateLimiter(policy: "token" | "address", perMinute: number): RateLimiter {
  if (perMinute === 0) return () => Promise.resolve({});
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  return async (key) => {
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

/** The key under which an address is counted. */
export function rateLimitKey(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()
    : parsed.toString();
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
