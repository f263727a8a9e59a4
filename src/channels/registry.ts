import type { AddressKind } from "../domain/contact.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import type { Channel } from "./channel.ts";
import { createEmailChannel } from "./email.ts";
import { parseIntegration, parseSecureUrl, parseUserKey } from "./format/address-patterns.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createMastodon } from "./providers/mastodon.ts";
import type { MastodonSettings } from "./providers/mastodon.ts";
import { createTwilio } from "./providers/twilio.ts";
import type { TwilioSettings } from "./providers/twilio.ts";
import { createX } from "./providers/x.ts";
import type { XSettings } from "./providers/x.ts";
import { createServiceChannel } from "./webhook/service-channel.ts";
import { pagerduty, pagerdutyUrl } from "./services/pagerduty.ts";
import { pushover, pushoverUrl } from "./services/pushover.ts";
import { slack } from "./services/slack.ts";
import { createSmsChannel } from "./sms.ts";
import { createTwitterChannel } from "./twitter.ts";
import { createUnsubscribeLinks } from "./mail/unsubscribe.ts";
import { createVoiceChannel } from "./voice.ts";
import { createWebhookChannel } from "./webhook.ts";

export interface ChannelDeps {
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined;
  /** The public address of this installation. */
  readonly url: string;
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** Of the application that sends by Pushover; undefined where none is set. */
  readonly pushoverToken?: Secret | undefined;
  /** Who bring texts and calls, and messages to handles; each undefined where it is not set. */
  readonly twilio?: TwilioSettings | undefined;
  readonly x?: XSettings | undefined;
  readonly mastodon?: MastodonSettings | undefined;
}

const NO_PUSHOVER = "no application of Pushover is set: WATCHPOST_PUSHOVER_TOKEN";

/** Every way to tell somebody, alphabetical. */
export function createChannels(deps: ChannelDeps): readonly Channel[] {
  const { url, pushoverToken } = deps;
  const phones = deps.twilio && createTwilio(deps.twilio);
  return [
    createEmailChannel({ ...deps, unsubscribing: createUnsubscribeLinks(deps) }),
    createServiceChannel({
      kind: "pagerduty",
      service: pagerduty,
      parseAddress: parseIntegration,
      urlOf: (address) => (URL.canParse(address) ? address : pagerdutyUrl(address)),
      url,
    }),
    createServiceChannel({
      kind: "pushover",
      service: pushover,
      parseAddress: parseUserKey,
      defaultPriority: 2,
      urlOf: (user) => pushoverUrl(pushoverToken?.reveal() ?? "", user),
      trouble: pushoverToken === undefined ? NO_PUSHOVER : undefined,
      url,
    }),
    createServiceChannel({
      kind: "slack",
      service: slack,
      parseAddress: parseSecureUrl,
      urlOf: (address) => address,
      url,
    }),
    createSmsChannel({ phones }),
    createTwitterChannel({
      x: deps.x && createX(deps.x),
      mastodon: deps.mastodon && createMastodon(deps.mastodon),
    }),
    createVoiceChannel({ phones }),
    createWebhookChannel(deps),
  ];
}

export function channelOf(channels: readonly Channel[], kind: AddressKind): Channel | undefined {
  return channels.find((channel) => channel.kind === kind);
}
