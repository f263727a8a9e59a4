import { noSuppressions, type Address } from "../../src/domain/contact/contact.ts";
import { createMailer, type Mailer } from "../../src/channels/mail/mailer.ts";
import { createSenders } from "../../src/channels/mail/senders.ts";
import { createChannels, type Channels } from "../../src/channels/registry.ts";
import type { Sealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { mastodonPeer } from "../peers/mastodon.ts";
import { headerOf, partOf, smtpPeer } from "../peers/smtp.ts";
import { twilioPeer, type TwilioPeer } from "../peers/twilio.ts";
import { receiverPeer, type ReceiverResponse } from "../peers/webhook-receiver.ts";
import { anAddress } from "../record-builders.ts";
import type { StormCheck } from "./storm-checks.ts";

/** An address of the contact, and what came there. */
export interface StormReceiver {
  readonly name: string;
  readonly address: Address;
  /** How long docs/decisions/0012 lets an alert wait for others after it was due. */
  readonly windowMs: number;
  readonly texts: () => readonly string[];
  /** Name of a check in its messages. */
  readonly nameOf: (check: StormCheck) => string;
}

export interface StormReceivers extends AsyncDisposable {
  readonly receivers: readonly StormReceiver[];
  readonly channels: Channels;
  readonly mailer: Mailer;
}

/** The widest window of the kinds of address that take several alerts in a message. */
const GROUPED_MS = 60_000;
const twilio = { account: `AC${"0".repeat(32)}`, token: "t0ken", from: "+15550100" };
const mastodonToken = "b3arer";

interface HttpReceiver {
  readonly name: string;
  readonly kind: "webhook" | "slack" | "pagerduty";
  /** Its URL; the port is that of the receiver. */
  readonly url: string;
  readonly answer: ReceiverResponse;
}

/** Each answers as the service does that takes the alert. */
const httpReceivers: readonly HttpReceiver[] = [
  { name: "webhook", kind: "webhook", url: "http://hook.example.net/", answer: { status: 200 } },
  {
    name: "Slack",
    kind: "slack",
    url: "http://hooks.slack.com/services/T0/B0/x",
    answer: { status: 200, body: "ok" },
  },
  {
    name: "Discord",
    kind: "webhook",
    url: "http://discord.com/api/webhooks/1/x",
    answer: { status: 204 },
  },
  {
    name: "Telegram",
    kind: "webhook",
    url: "http://api.telegram.org/bot1:x/sendMessage?chat_id=1",
    answer: { status: 200, body: '{"ok":true}' },
  },
  {
    name: "Matrix",
    kind: "webhook",
    url: "http://matrix.example.org/_matrix/client/v3/rooms/!a:example.org/send/m.room.message?access_token=x",
    answer: { status: 200, body: '{"event_id":"$1"}' },
  },
  {
    name: "PagerDuty",
    kind: "pagerduty",
    url: "http://events.pagerduty.com/v2/enqueue",
    answer: { status: 202, body: '{"status":"success"}' },
  },
];

/** One address of each kind, each with a receiver of its own on this machine. */
export async function stormReceivers({
  only,
  ...installation
}: {
  readonly url: string;
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly only: readonly string[] | undefined;
}): Promise<StormReceivers> {
  await using stack = new AsyncDisposableStack();
  const smtp = stack.use(await smtpPeer());
  const phones = stack.use(await twilioPeer(twilio));
  const mastodon = stack.use(await mastodonPeer({ token: mastodonToken }));
  const senders = createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] });
  const mailer = createMailer({ url: new Secret(`${smtp.url}/`), senders });
  const channels = createChannels({
    ...installation,
    mailer,
    twilio: { ...twilio, token: new Secret(twilio.token), url: phones.url },
    mastodon: { url: mastodon.url, token: new Secret(mastodonToken) },
  });
  stack.defer(() => mailer.close());
  const receivers: StormReceiver[] = [
    ...phoneReceivers(phones),
    {
      name: "mail",
      address: addressOf("mail", { kind: "email", address: "ann@example.net" }),
      windowMs: GROUPED_MS,
      texts: () =>
        smtp.mails.map(({ raw }) => `${headerOf(raw, "subject")}\n${partOf(raw, "text/plain")}`),
      nameOf: labelOf,
    },
    {
      name: "direct message",
      address: addressOf("twitter", { kind: "twitter", address: "@ann@mastodon.example" }),
      windowMs: 0,
      texts: () => mastodon.posts.map(({ status }) => status),
      nameOf: labelOf,
    },
  ];
  for (const { name, kind, url, answer } of httpReceivers) {
    const receiver = stack.use(await receiverPeer());
    receiver.reply(answer);
    const address = new URL(url);
    address.port = new URL(receiver.url).port;
    receivers.push({
      name,
      address: addressOf(name.toLowerCase(), { kind, address: address.href }),
      windowMs: 0,
      texts: () => receiver.requests.map(({ body }) => body),
      // An incident is known by a key that has the id of its check.
      nameOf: kind === "pagerduty" ? ({ record }) => `${record.id}-` : labelOf,
    });
  }
  const owned = stack.move();
  return {
    receivers: receivers.filter(({ name }) => only === undefined || only.includes(name)),
    channels,
    mailer,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function phoneReceivers(phones: TwilioPeer): readonly StormReceiver[] {
  return [
    {
      name: "text message",
      address: addressOf("sms", { kind: "sms", address: "+442079460000" }),
      windowMs: GROUPED_MS,
      texts: () => phones.texts.map(({ body }) => body),
      nameOf: labelOf,
    },
    {
      name: "call",
      address: addressOf("voice", {
        kind: "voice",
        address: "+442079460001",
        suppress: { ...noSuppressions, first: true, up: true },
      }),
      windowMs: GROUPED_MS,
      texts: () => phones.calls.map(({ words }) => words),
      nameOf: labelOf,
    },
  ];
}

function labelOf({ record }: StormCheck): string {
  return record.label;
}

/** A first result of the checks is sent to nobody: it is what a storm is compared with. */
function addressOf(id: string, changes: Partial<Address>): Address {
  return anAddress(id, { suppress: { ...noSuppressions, first: true }, ...changes });
}
