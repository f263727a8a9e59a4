import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, Message, AlertContext, AlertContexts } from "./channel.ts";
import { renderBranding } from "./mail/branding-text.ts";
import { digestPage } from "./mail/digest-page.ts";
import { commonHeaders, alertHeaders, threadHeaders, unsubscribeHeaders } from "./mail/headers.ts";
import { htmlPage, textPage } from "./mail/alert-page.ts";
import { unsubscribeLine } from "./mail/unsubscribe-line.ts";
import { textToHtml } from "./mail/text-to-html.ts";
import { parseMailbox } from "./mail/mailbox.ts";
import type { Mailer } from "./mail/mailer.ts";
import { pageUrlOf, summaryOf } from "./format/alert-text.ts";
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
        text: body,
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
  const summary = summaryOf(context);
  const own = renderBranding(context);
  return {
    subject: own.subject ?? summary.subject,
    body: own.text ?? textPage(summary, pageUrlOf(context)),
    html:
      own.text === undefined
        ? htmlPage(summary, { more: pageUrlOf(context), stop })
        : textToHtml(own.text, unsubscribeLine(stop)),
  };
}
