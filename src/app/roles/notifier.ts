import { createSystemMailSender } from "../../channels/mail/system-mail.ts";
import { createMailQueue } from "../../notifier/mail-queue.ts";
import { createNotifier } from "../../notifier/notifier.ts";
import { createPlaces } from "../../notifier/places.ts";
import type { Delivery } from "../delivery.ts";
import type { Role, RoleDeps } from "./role.ts";

interface Deps extends Omit<RoleDeps, "bus"> {
  readonly delivery: Delivery;
}

export interface NotifierRole extends Role {
  /** Looks for due alerts now. */
  readonly wake: () => void;
}

/** Delivers alerts and system mails. */
export function createNotifierRole({ config, delivery, stopping, ...deps }: Deps): NotifierRole {
  const { channels, mailer, unsubscribeLinks, confirmLinks, url } = delivery;
  const places = createPlaces(deps.clock);
  const notifier = createNotifier({
    ...deps,
    places,
    channels,
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
  });
  const mailQueue = createMailQueue({ ...deps, places, systemMailSender });
  return {
    wake: notifier.wake,
    async run() {
      await Promise.all([notifier.run(stopping), mailQueue.run(stopping)]);
    },
  };
}
