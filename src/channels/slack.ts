import type { Channel } from "./channel.ts";
import { parseSecureUrl } from "./format/address-patterns.ts";
import { slack } from "./services/slack.ts";
import type { OwnAddresses } from "./webhook/loop-guard.ts";
import { createServiceChannel } from "./webhook/service-channel.ts";

/** An address is the URL of an incoming webhook. */
export function createSlackChannel(installation: OwnAddresses): Channel {
  return createServiceChannel({
    service: slack,
    parseAddress: parseSecureUrl,
    urlOf: (address) => address,
    installation,
  });
}
