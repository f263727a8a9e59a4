import type { Channel } from "./channel.ts";
import { parseIntegration } from "./format/address-patterns.ts";
import { pagerduty, pagerdutyUrl } from "./services/pagerduty.ts";
import type { OwnAddresses } from "./webhook/loop-guard.ts";
import { createServiceChannel } from "./webhook/service-channel.ts";

/** An address is the key of an integration, or a URL that takes events. */
export function createPagerdutyChannel(installation: OwnAddresses): Channel {
  return createServiceChannel({
    service: pagerduty,
    parseAddress: parseIntegration,
    takesOtherKeys: true,
    urlOf: (address) => (URL.canParse(address) ? address : pagerdutyUrl(address)),
    installation,
  });
}
