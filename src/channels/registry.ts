import type { AddressKind } from "../domain/contact.ts";
import type { Channel } from "./channel.ts";
import { createEmailChannel } from "./email.ts";
import type { SmtpSettings } from "./kit/mailer.ts";
import { createWebhookChannel } from "./webhook.ts";

export interface ChannelDeps {
  readonly smtp: SmtpSettings | undefined;
  /** The public address of this installation. */
  readonly url: string;
}

/** Every way to tell somebody, alphabetical. */
export function createChannels(deps: ChannelDeps): readonly Channel[] {
  return [createEmailChannel(deps), createWebhookChannel(deps)];
}

export function channelOf(channels: readonly Channel[], kind: AddressKind): Channel | undefined {
  return channels.find((channel) => channel.kind === kind);
}
