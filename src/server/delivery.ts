import { createAcknowledgeLinks, type AcknowledgeLinks } from "../channels/acknowledge-links.ts";
import { createCalendarLinks, type CalendarLinks } from "../channels/calendar-links.ts";
import { createPageLinks, type PageLinks } from "../channels/page-links.ts";
import { createSubscriberLinks, type SubscriberLinks } from "../channels/subscriber-links.ts";
import { createConfirmLinks } from "../channels/mail/confirm.ts";
import { createMailer, type Mailer } from "../channels/mail/mailer.ts";
import { createSenders, type Senders } from "../channels/mail/senders.ts";
import { createUnsubscribeLinks } from "../channels/mail/unsubscribe.ts";
import type { AddressLinks } from "../channels/mail/address-links.ts";

import { createChannels, type Channels } from "../channels/registry.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { OwnListener } from "../kit/net/own-listener.ts";
import { publicUrl, type Config } from "../settings/config.ts";
import { providerConfig } from "../settings/provider-config.ts";

/** Services that the API and the notifier need to send messages. */
export interface DeliveryServices {
  readonly channels: Channels;
  readonly senders: Senders;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly unsubscribeLinks: AddressLinks;
  readonly confirmLinks: AddressLinks;
  readonly acknowledgeLinks: AcknowledgeLinks;
  readonly pageLinks: PageLinks;
  readonly calendarLinks: CalendarLinks;
  readonly subscriberLinks: SubscriberLinks;
  /** The public address of this installation. */
  readonly url: string;
  readonly close: () => void;
}

export function createDelivery(
  config: Config,
  { sealer, listener }: { readonly sealer: Sealer; readonly listener: OwnListener },
): DeliveryServices {
  const senders = createSenders({
    own: config.WATCHPOST_MAIL_FROM ?? "",
    domains: config.WATCHPOST_MAIL_FROM_DOMAINS,
  });
  const mailer =
    config.WATCHPOST_SMTP_URL && createMailer({ url: config.WATCHPOST_SMTP_URL, senders });
  const url = publicUrl(config);
  const channels = createChannels({
    mailer,
    url,
    listener,
    sealer,
    pushoverToken: config.WATCHPOST_PUSHOVER_TOKEN,
    ...providerConfig(config),
  });
  return {
    channels,
    senders,
    mailer,
    unsubscribeLinks: createUnsubscribeLinks({ sealer, url }),
    confirmLinks: createConfirmLinks({ sealer, url }),
    acknowledgeLinks: createAcknowledgeLinks({ sealer, url }),
    pageLinks: createPageLinks({ sealer, url, days: config.WATCHPOST_LINK_DAYS }),
    calendarLinks: createCalendarLinks({ sealer, url }),
    subscriberLinks: createSubscriberLinks({
      sealer,
      url,
      statusDomains: config.WATCHPOST_STATUS_DOMAINS,
    }),
    url,
    close() {
      for (const channel of Object.values(channels)) channel.close();
    },
  };
}
