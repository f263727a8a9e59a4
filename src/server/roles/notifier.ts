import { createSystemMailSender } from "../../channels/mail/system-mail.ts";
import type { Log } from "../../kit/log.ts";
import { createMailQueue } from "../../notifier/mail-queue.ts";
import { createNotifier } from "../../notifier/notifier.ts";
import { createSendSlots } from "../../notifier/send-slots.ts";
import { createSubscriberNotifier } from "../../notifier/subscriber-notifier.ts";
import { createSubscriptionMessages } from "../../status-pages/subscription-messages.ts";
import type { Role, RoleDeps } from "./role.ts";

/** Delivers alerts and system mails. */
export function createNotifierRole({
  config,
  delivery,
  bus,
  alertEgress,
  stopping,
  ...deps
}: RoleDeps): Role {
  const { channels, mailer, unsubscribeLinks, confirmLinks, acknowledgeLinks, pageLinks, url } =
    delivery;
  if (mailer === undefined) warnOfNoMailServer(deps.log);
  const slots = createSendSlots(deps.clock);
  const notifier = createNotifier({
    ...deps,
    egress: alertEgress,
    slots,
    channels,
    acknowledgeLinks,
    pageLinks,
    url,
    alertMailLimit: config.WATCHPOST_MAILBOX_ALERT_LIMIT,
    groupWaitMs: config.WATCHPOST_GROUP_WAIT_SECONDS * 1000,
  });
  const systemMailSender = createSystemMailSender({
    mailer,
    url,
    welcomeText: config.WATCHPOST_WELCOME_TEXT,
    unsubscribing: unsubscribeLinks,
    confirming: confirmLinks,
    pageLinks,
  });
  const mailQueue = createMailQueue({ ...deps, slots, systemMailSender });
  const subscribers = createSubscriberNotifier({
    ...deps,
    slots,
    mailer,
    webhooks: channels.webhook,
    egress: alertEgress,
    texts: createSubscriptionMessages({ links: delivery.subscriberLinks, url }),
  });
  bus.hints.subscribe("alerts", notifier.wake);
  return {
    trouble: () => undefined,
    async run() {
      const parts = [notifier, mailQueue, subscribers];
      await Promise.all(parts.map((part) => part.run(stopping)));
    },
  };
}

function warnOfNoMailServer(log: Log): void {
  log.warn("channels.no_mail_server", {
    setting: "WATCHPOST_SMTP_URL",
    meaning: "mail alerts will be recorded as failed",
  });
}
