import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, Message, AlertContext, AlertContexts } from "./channel.ts";
import { renderBranding } from "./mail/branding-text.ts";
import { digestPage } from "./mail/digest-page.ts";
import {
  alertHeaders,
  commonHeaders,
  linkIn,
  threadHeaders,
  unsubscribeHeaders,
} from "./mail/headers.ts";
import {
  diagnosticsLines,
  htmlPage,
  mailSubject,
  textPage,
  titleOf,
  wordOf,
} from "./mail/alert-page.ts";
import { unsubscribeLine, unsubscribeText } from "./mail/unsubscribe-line.ts";
import { textToHtml } from "./mail/text-to-html.ts";
import { parseMailbox } from "./mail/mailbox.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { AddressLinks } from "./mail/address-links.ts";

const NO_MAILER = "no mail server is set: WATCHPOST_SMTP_URL";

export function createEmailChannel({
  mailer,
  unsubscribing,
}: {
  readonly mailer: Mailer | undefined;
  readonly unsubscribing: Pick<AddressLinks, "linkOf">;
}): Channel {
  const stopOf = ({ alert: { accountId, contactId }, to }: AlertContext): string =>
    unsubscribing.linkOf({ accountId, contactId, addressId: to.id, mailbox: to.address });
  /** The sender and the headers of a mail. */
  const around = (contexts: AlertContexts, id: string): Pick<Message, "from" | "headers"> => {
    const [head] = contexts;
    const alerts = contexts.map(({ alert }) => alert);
    const host = new URL(head.url).hostname;
    const from = head.branding?.from;
    return {
      ...(from !== undefined && mailer !== undefined && { from: mailer.senders.resolve(from) }),
      headers: {
        ...commonHeaders(id, host),
        ...alertHeaders(alerts),
        ...threadHeaders(alerts, host),
        ...unsubscribeHeaders(stopOf(head)),
      },
    };
  };
  return {
    from: mailer?.senders.defaultSender ?? "",
    unavailableReason: mailer === undefined ? NO_MAILER : undefined,
    showsAddress: true,
    parseAddress: parseMailbox,
    render: (context) => ({
      ...alone(context, stopOf(context)),
      ...around([context], context.alert.id),
    }),
    renderDigest: (contexts, id) => ({
      ...digestPage(contexts, { more: contexts[0].url, stop: stopOf(contexts[0]) }),
      ...around(contexts, id),
    }),
    async send({ to, message }, { signal, clock }) {
      const { from, subject, body, html, headers } = message;
      if (mailer === undefined) throw new DeliveryFailed(NO_MAILER, { retryable: false });
      const mail = {
        from,
        to: to.address,
        subject,
        text: withUnsubscribing(body, headers),
        html,
        headers: headers ?? {},
        date: new Date(clock.now()),
      };
      return { response: await mailer.send(mail, signal) };
    },
    close: () => mailer?.close(),
  };
}

function alone(context: AlertContext, stop: string): Pick<Message, "subject" | "body" | "html"> {
  const own = renderBranding(context);
  const text = own.text && [own.text, ...diagnosticsLines(context)].join("\n");
  return {
    subject: own.subject ?? mailSubject(wordOf(context), titleOf(context)),
    body: text ?? textPage(context),
    html: text === undefined ? htmlPage(context, stop) : textToHtml(text, unsubscribeLine(stop)),
  };
}

/** Adds the unsubscribe link of the headers, which is not stored with the text because readers of an account's notifications are not the recipient. */
function withUnsubscribing(text: string, headers: Message["headers"] = {}): string {
  const link = linkIn(headers);
  return link === undefined ? text : `${text.trimEnd()}\n\n${unsubscribeText(link)}\n`;
}
