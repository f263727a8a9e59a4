import type { Secret } from "../kit/crypto/secret.ts";
import type { Channel } from "./channel.ts";
import { parseUserKey } from "./format/address-patterns.ts";
import { pushover, pushoverUrl } from "./services/pushover.ts";
import type { OwnAddresses } from "./webhook/loop-guard.ts";
import { createServiceChannel } from "./webhook/service-channel.ts";

const NO_PUSHOVER = "no application of Pushover is set: WATCHPOST_PUSHOVER_TOKEN";
/** Repeated until it is acknowledged. */
const EMERGENCY = 2;

/** An address is the key of a user or a group; the application that sends is the installation's. */
export function createPushoverChannel({
  pushoverToken,
  ...installation
}: OwnAddresses & { readonly pushoverToken?: Secret | undefined }): Channel {
  return createServiceChannel({
    service: pushover,
    parseAddress: parseUserKey,
    takesOtherKeys: true,
    defaultPriority: EMERGENCY,
    urlOf: (user) => pushoverUrl(pushoverToken?.reveal() ?? "", user),
    unavailableReason: pushoverToken === undefined ? NO_PUSHOVER : undefined,
    installation,
  });
}
