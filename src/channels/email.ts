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
import type { UnsubscribeLinks } from "./mail/unsubscribe.ts";

const NO_MAILER = "no mail server is set: WATCHPOST_SMTP_URL";

export function createEmailChannel({
  mailer,
  unsubscribing,
}: {
  readonly mailer: Mailer | undefined;
  readonly unsubscribing: Pick<UnsubscribeLinks, "linkOf">;
}): Channel {
  const stopOf = ({ alert: { accountId, contactId }, to }: AlertContext): string =>
    unsubscribing.linkOf({ accountId, contactId, addressId: to.id, mailbox: to.address });
  /** All of a mail but what it says. */
  const around = (tellings: AlertContexts, id: string): Pick<Message, "from" | "headers"> => {
    const [head] = tellings;
    const alerts = tellings.map(({ alert }) => alert);
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
    // Whoever it is for, the one mail server of the settings takes it.
    destinationOf: () => "mail server",
    render: (telling) => ({
      ...alone(telling, stopOf(telling)),
      ...around([telling], telling.alert.id),
    }),
    renderDigest: (tellings, id) => ({
      ...digestPage(tellings, { more: tellings[0].url, stop: stopOf(tellings[0]) }),
      ...around(tellings, id),
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

function alone(telling: AlertContext, stop: string): Pick<Message, "subject" | "body" | "html"> {
  const story = summaryOf(telling);
  const own = renderBranding(telling);
  return {
    subject: own.subject ?? story.subject,
    body: own.text ?? textPage(story, pageUrlOf(telling)),
    html:
      own.text === undefined
        ? htmlPage(story, { more: pageUrlOf(telling), stop })
        : textToHtml(own.text, unsubscribeLine(stop)),
  };
}
