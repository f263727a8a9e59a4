import type { PageLanguage } from "../../domain/status/status-page.ts";

/** Built-in texts for subscribers. */
export interface SubscriberWords {
  readonly subscribe: string;
  readonly byMail: string;
  readonly mailbox: string;
  readonly hint: string;
  readonly noMailbox: string;
  readonly tooMany: string;
  readonly full: string;
  readonly asked: string;
  readonly toPage: string;
  readonly invalid: string;
  readonly confirmTitle: (page: string) => string;
  readonly confirmHint: (mailbox: string) => string;
  readonly confirm: string;
  readonly confirmed: (mailbox: string, page: string) => string;
  readonly stopHint: (mailbox: string, page: string) => string;
  readonly stop: string;
  readonly stopped: (page: string) => string;
  readonly again: string;
  readonly otherMailbox: string;
  readonly mailSubject: (page: string) => string;
  readonly mailBeginning: (mailbox: string, page: string, address: string) => string;
  readonly mailEnd: string;
  readonly refuse: string;
  readonly why: (page: string) => string;
  readonly readMore: string;
}

const en: SubscriberWords = {
  subscribe: "Subscribe",
  byMail: "Get updates by mail",
  mailbox: "Mail address",
  hint: "You are sent a mail for each incident and maintenance that is posted here, and nothing else. Every mail has a link that ends them.",
  noMailbox: "This is no mail address.",
  tooMany: "Too many people subscribe at present: try again later.",
  full: "This page takes no more subscribers.",
  asked:
    "If this address is not subscribed yet, a mail is on its way to it. Open the link in it within two days. Who wanted no mails, or was asked in the last days, is not sent one.",
  toPage: "Back to the page",
  invalid:
    "This link leads nowhere: it is not whole, or nobody confirmed it in time. You can subscribe again on the page.",
  confirmTitle: (page) => `Updates of ${page}`,
  confirmHint: (mailbox) => `Updates are sent to ${mailbox} once you agree.`,
  confirm: "Send me updates",
  confirmed: (mailbox, page) => `Updates of ${page} are sent to ${mailbox}.`,
  stopHint: (mailbox, page) => `Updates of ${page} go to ${mailbox}.`,
  stop: "Send no more mails",
  stopped: (page) =>
    `No updates of ${page} are sent to you any more, and your address is forgotten.`,
  again: "Subscribe again",
  otherMailbox: "These mails did not go to this address.",
  mailSubject: (page) => `Do you want updates of ${page}?`,
  mailBeginning: (mailbox, page, address) =>
    `Somebody asked for updates of ${page} to be sent to ${mailbox}: a mail for each incident and maintenance that is posted at ${address}`,
  mailEnd: "If you did not ask for this, you can ignore this mail: you will get no other.",
  refuse: "Never ask me again",
  why: (page) => `You get this mail because you subscribed to ${page}.`,
  readMore: "Open the status page",
};

const de: SubscriberWords = {
  subscribe: "Abonnieren",
  byMail: "Neuigkeiten per E-Mail",
  mailbox: "E-Mail-Adresse",
  hint: "Sie erhalten eine E-Mail zu jeder Störung und Wartung, die hier gemeldet wird, und sonst nichts. Jede E-Mail hat einen Link, der das beendet.",
  noMailbox: "Das ist keine E-Mail-Adresse.",
  tooMany: "Zur Zeit abonnieren zu viele: bitte später noch einmal.",
  full: "Diese Seite nimmt keine weiteren Abonnements an.",
  asked:
    "Wenn diese Adresse noch nicht eingetragen ist, ist eine E-Mail dorthin unterwegs. Öffnen Sie den Link darin innerhalb von zwei Tagen. Wer keine E-Mails wollte oder in den letzten Tagen gefragt wurde, erhält keine.",
  toPage: "Zurück zur Seite",
  invalid:
    "Dieser Link führt nirgendwohin: Er ist nicht vollständig, oder er wurde nicht rechtzeitig bestätigt. Auf der Seite können Sie sie erneut abonnieren.",
  confirmTitle: (page) => `Neuigkeiten von ${page}`,
  confirmHint: (mailbox) => `Neuigkeiten gehen an ${mailbox}, sobald Sie zustimmen.`,
  confirm: "Neuigkeiten zusenden",
  confirmed: (mailbox, page) => `Neuigkeiten von ${page} gehen an ${mailbox}.`,
  stopHint: (mailbox, page) => `Neuigkeiten von ${page} gehen an ${mailbox}.`,
  stop: "Keine E-Mails mehr senden",
  stopped: (page) =>
    `Sie erhalten keine Neuigkeiten von ${page} mehr, und Ihre Adresse ist vergessen.`,
  again: "Wieder abonnieren",
  otherMailbox: "Diese E-Mails gingen nicht an diese Adresse.",
  mailSubject: (page) => `Möchten Sie Neuigkeiten von ${page}?`,
  mailBeginning: (mailbox, page, address) =>
    `Jemand hat für ${mailbox} Neuigkeiten von ${page} angefordert: eine E-Mail zu jeder Störung und Wartung, die unter ${address} gemeldet wird`,
  mailEnd:
    "Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Sie erhalten keine weitere.",
  refuse: "Nicht noch einmal fragen",
  why: (page) => `Sie erhalten diese E-Mail, weil Sie ${page} abonniert haben.`,
  readMore: "Statusseite öffnen",
};

const words = { en, de } as const;

export function subscriberWords(language: PageLanguage): SubscriberWords {
  return words[language];
}
