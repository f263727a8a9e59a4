/** Counters of the notifier. */
export const notifierCounters = {
  "notifier.address_refused": {
    help: "Messages that a receiver refused permanently because of the address, by its new status.",
    labels: ["status"],
  },
  "notifier.delivered": { help: "Alerts that a receiver accepted.", labels: ["channel"] },
  "notifier.dropped": { help: "Alerts that were not sent.", labels: ["reason"] },
  "notifier.failed": { help: "Alerts that were refused permanently or expired." },
  "notifier.given_back": {
    help: "Claims of alerts that ended without an attempt: it was not their turn in time.",
  },
  "notifier.mail_failed": { help: "System mails that were refused permanently or expired." },
  "notifier.mail_retry": { help: "Failed attempts to send a system mail that will be retried." },
  "notifier.mail_sent": { help: "System mails that the mail server accepted." },
  "notifier.mailbox_limit": {
    help: "Alerts that wait because their mailbox was sent all the alert mails of a day.",
  },
  "notifier.retry": { help: "Failed attempts to send an alert that will be retried." },
  "notifier.subscriber_failed": {
    help: "Messages to subscribers of status pages that were refused permanently or expired.",
  },
  "notifier.subscriber_retry": {
    help: "Failed attempts to send a message to a subscriber that will be retried.",
  },
  "notifier.subscriber_delivered": {
    help: "Messages to subscribers of status pages that their receivers accepted.",
    labels: ["kind"],
  },
  "notifier.tested": {
    help: "Test messages to addresses.",
    labels: ["channel", "accepted"],
  },
} as const;
