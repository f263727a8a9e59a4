import type { Sealer } from "../kit/crypto/seal.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { DeliveryFailed, InvalidInput } from "../kit/errors.ts";
import type { OwnListener } from "../kit/net/own-listener.ts";
import type { Channel } from "./channel.ts";
import { createEmailChannel } from "./email.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createUnsubscribeLinks } from "./mail/unsubscribe.ts";
import { createPagerdutyChannel } from "./pagerduty.ts";
import { createMastodon, type MastodonSettings } from "./providers/mastodon.ts";
import { createTwilio, type TwilioSettings } from "./providers/twilio.ts";
import { createX, type XSettings } from "./providers/x.ts";
import { createPushoverChannel } from "./pushover.ts";
import { createSlackChannel } from "./slack.ts";
import { createSmsChannel } from "./sms.ts";
import { createTwitterChannel } from "./twitter.ts";
import { createVoiceChannel } from "./voice.ts";
import { createWebhookChannel } from "./webhook.ts";

export interface ChannelDeps {
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** The public address of this installation. */
  readonly url: string;
  /** Address of this process's listener; undefined if it does not listen. */
  readonly listener?: Pick<OwnListener, "isAt"> | undefined;
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** Token of the Pushover application; undefined if none is set. */
  readonly pushoverToken?: Secret | undefined;
  /** Providers of texts and calls, and of messages to handles; each undefined if not configured. */
  readonly twilio?: TwilioSettings | undefined;
  readonly x?: XSettings | undefined;
  readonly mastodon?: MastodonSettings | undefined;
}

function channelParts(deps: ChannelDeps) {
  return {
    ...deps,
    unsubscribing: createUnsubscribeLinks(deps),
    phones: deps.twilio && createTwilio(deps.twilio),
    x: deps.x && createX(deps.x),
    mastodon: deps.mastodon && createMastodon(deps.mastodon),
  };
}

/** The channel of every kind of address. */
const creators = {
  email: createEmailChannel,
  twitter: createTwitterChannel,
  sms: createSmsChannel,
  webhook: createWebhookChannel,
  voice: createVoiceChannel,
  slack: createSlackChannel,
  pagerduty: createPagerdutyChannel,
  pushover: createPushoverChannel,
} as const satisfies Readonly<Record<string, (parts: ReturnType<typeof channelParts>) => Channel>>;

export type AddressKind = keyof typeof creators;
export type Channels = Readonly<Record<AddressKind, Channel>>;

export const addressKinds = Object.keys(creators).filter(isAddressKind);

export function isAddressKind(kind: string): kind is AddressKind {
  return Object.hasOwn(creators, kind);
}

export function createChannels(deps: ChannelDeps): Channels {
  const parts = channelParts(deps);
  return channelsBy((kind) => creators[kind](parts));
}

export function channelsBy(create: (kind: AddressKind) => Channel): Channels {
  const channels = addressKinds.map((kind) => [kind, create(kind)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets its keys
  return Object.fromEntries(channels) as Channels;
}

/** The channel of an address as it was stored: maybe by a later version, which had a kind that this one does not know. */
export function channelOf(channels: Channels, kind: string): Channel {
  return isAddressKind(kind) ? channels[kind] : unknownChannel(kind);
}

function unknownChannel(kind: string): Channel {
  const reason = `no channel for ${JSON.stringify(kind)}`;
  return {
    from: "",
    unavailableReason: reason,
    parseAddress() {
      throw new InvalidInput(reason);
    },
    render: () => ({ subject: "", body: "" }),
    send: () => Promise.reject(new DeliveryFailed(reason, { retryable: false })),
    close() {},
  };
}
