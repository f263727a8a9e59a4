import type { AddressKind } from "../domain/contact.ts";
import type { Channel } from "./channel.ts";
import { createEmailChannel } from "./email.ts";
import {
  parseHandle,
  parseIntegration,
  parsePhoneNumber,
  parseSecureUrl,
  parseUserKey,
} from "./kit/address-forms.ts";
import type { Mailer } from "./mailer.ts";
import { createUnbuiltChannel } from "./unbuilt.ts";
import { createWebhookChannel } from "./webhook.ts";

export interface ChannelDeps {
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined;
  /** The public address of this installation. */
  readonly url: string;
}

/** Every way to tell somebody, alphabetical. */
export function createChannels(deps: ChannelDeps): readonly Channel[] {
  return [
    createEmailChannel(deps),
    createUnbuiltChannel("pagerduty", { parseAddress: parseIntegration }),
    createUnbuiltChannel("pushover", { parseAddress: parseUserKey, usualPriority: 2 }),
    createUnbuiltChannel("slack", { parseAddress: parseSecureUrl }),
    createUnbuiltChannel("sms", { parseAddress: parsePhoneNumber }),
    createUnbuiltChannel("twitter", { parseAddress: parseHandle }),
    createUnbuiltChannel("voice", { parseAddress: parsePhoneNumber }),
    createWebhookChannel(deps),
  ];
}

export function channelOf(channels: readonly Channel[], kind: AddressKind): Channel | undefined {
  return channels.find((channel) => channel.kind === kind);
}
