import type { Channel } from "./channel.ts";
import { parseSecureUrl } from "./format/address-patterns.ts";
import { slack } from "./services/slack.ts";
import { createServiceChannel } from "./webhook/service-channel.ts";

/** An address is the URL of an incoming webhook. */
export function createSlackChannel({ url }: { readonly url: string }): Channel {
  return createServiceChannel({
    service: slack,
    parseAddress: parseSecureUrl,
    urlOf: (address) => address,
    url,
  });
}
