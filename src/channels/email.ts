import { DeliveryFailed, InvalidInput } from "../kit/errors.ts";
import type { Channel, Message, Telling } from "./channel.ts";
import { mailHeaders, ofOutage, withUnsubscribe } from "./kit/mail-headers.ts";
import { htmlPage, textPage } from "./kit/mail-pages.ts";
import type { Mailer } from "./mailer.ts";
import { storyOf } from "./telling.ts";
import type { Unsubscribing } from "./unsubscribe.ts";

const NO_MAILER = "no mail server is set: WATCHPOST_SMTP_URL";

export function createEmailChannel({
  mailer,
  unsubscribing,
}: {
  readonly mailer: Mailer | undefined;
  readonly unsubscribing: Pick<Unsubscribing, "linkOf">;
}): Channel {
  return {
    kind: "email",
    from: mailer?.from ?? "",
    trouble: mailer === undefined ? NO_MAILER : undefined,
    parseAddress: parseMailbox,
    // Whoever it is for, the one mail server of the settings takes it.
    destinationOf: () => "mail server",
    render: (telling) => render(telling, unsubscribing),
    async send({ to }, { subject, body, html, headers }, { signal, clock }) {
      if (mailer === undefined) throw new DeliveryFailed(NO_MAILER, { retryable: false });
      const mail = {
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

function render(telling: Telling, { linkOf }: Pick<Unsubscribing, "linkOf">): Message {
  const story = storyOf(telling);
  const host = new URL(telling.url).hostname;
  const { id, outage, accountId, contactId } = telling.alert;
  const stop = linkOf({ accountId, contactId, addressId: telling.to.id });
  return {
    subject: story.subject,
    body: textPage(story, telling.url),
    html: htmlPage(story, { more: telling.url, stop }),
    headers: {
      ...mailHeaders(id, host),
      ...withUnsubscribe(stop),
      ...(outage !== undefined && ofOutage(outage, host)),
    },
  };
}

const LONGEST_MAILBOX = 254;
const LONGEST_LOCAL_PART = 64;

/** A dot-atom and a host name (RFC 5321, 4.1.2), in letters of any script (RFC 6531). */
const word = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const name = String.raw`[\p{L}\p{M}\p{N}-]+`;
const mailbox = new RegExp(
  String.raw`^(?<local>${word}(?:\.${word})*)@${name}(?:\.${name})*$`,
  "u",
);

/** One bare address; throws InvalidInput that says what would be right. */
export function parseMailbox(address: string): string {
  const given = address.trim();
  const local = mailbox.exec(given)?.groups?.local;
  const fits =
    Buffer.byteLength(given) <= LONGEST_MAILBOX &&
    Buffer.byteLength(local ?? "") <= LONGEST_LOCAL_PART;
  if (local === undefined || !fits) {
    throw new InvalidInput(
      `must be one mailbox such as name@example.com, not ${JSON.stringify(given.slice(0, LONGEST_MAILBOX))}`,
    );
  }
  return given;
}
