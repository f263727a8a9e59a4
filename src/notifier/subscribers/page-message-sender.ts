import type { Mailer } from "../../channels/mail/mailer.ts";
import type { Channels } from "../../channels/registry.ts";
import { addressDefaults } from "../../domain/contact/contact.ts";
import { isKept, type Incident, type IncidentUpdate } from "../../domain/status/incident.ts";
import type { StatusPage } from "../../domain/status/status-page.ts";
import { messageIdOf, type PageMessage, type Subscriber } from "../../domain/status/subscriber.ts";
import type { Clock } from "../../kit/clock.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { Store } from "../../store/store.ts";

interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface NewUpdates {
  readonly message: PageMessage;
  readonly page: StatusPage;
  readonly timeZone: string;
  readonly incident: Incident;
  readonly updates: readonly IncidentUpdate[];
}

/** Texts of messages to subscribers. */
export interface PageMessageTexts {
  readonly requestMail: (asked: {
    readonly message: PageMessage;
    readonly page: StatusPage;
    readonly mailbox: string;
  }) => RenderedMail;
  readonly updateMail: (update: NewUpdates) => RenderedMail;
  readonly updateBody: (update: NewUpdates) => string;
}

/** A message that is ready to be sent. */
export interface PreparedPageMessage {
  /** The mailbox or URL. */
  readonly address: string;
  /** Throws DeliveryFailed. */
  readonly send: (signal: AbortSignal) => Promise<void>;
}

interface Deps {
  readonly store: Pick<Store, "accounts" | "incidents" | "statusPages" | "subscribers">;
  readonly texts: PageMessageTexts;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  readonly webhooks: Channels["webhook"];
  readonly egress: Egress;
  readonly clock: Clock;
}

/** Renders messages to subscribers as their page is now. */
export interface PageMessageSender {
  /** Undefined if it must not be sent any more: the subscription has ended, the page is hidden, or the incident was deleted. */
  readonly prepare: (message: PageMessage) => Promise<PreparedPageMessage | undefined>;
}

export function createPageMessageSender(deps: Deps): PageMessageSender {
  const { store } = deps;
  return {
    async prepare(message) {
      const subscriber = await store.subscribers.find(message.subscriberId);
      if (subscriber?.address === undefined) return undefined;
      const page = await store.statusPages.findShown({ id: subscriber.pageId });
      if (page === undefined) return undefined;
      const to = { message, subscriber, address: subscriber.address, page };
      return message.post === undefined ? prepareRequest(deps, to) : prepareUpdates(deps, to);
    },
  };
}

interface Addressed {
  readonly message: PageMessage;
  readonly subscriber: Subscriber;
  readonly address: string;
  readonly page: StatusPage;
}

/** Until its owner agrees, a mailbox gets nothing of the account but the name of its page. */
function prepareRequest(
  deps: Deps,
  { message, subscriber, address, page }: Addressed,
): PreparedPageMessage | undefined {
  if (subscriber.state !== "pending") return undefined;
  const mail = deps.texts.requestMail({ message, page, mailbox: address });
  return { address, send: (signal) => sendMail(deps, { message, address, mail }, signal) };
}

async function prepareUpdates(
  deps: Deps,
  { message, subscriber, address, page }: Addressed,
): Promise<PreparedPageMessage | undefined> {
  const { store, texts } = deps;
  const { post } = message;
  if (post === undefined || subscriber.state !== "confirmed") return undefined;
  const incident = await store.incidents.find(page.accountId, post.incidentId);
  const updates = incident?.updates.slice(post.from, post.to).filter(isKept) ?? [];
  if (incident?.isPublished !== true || updates.length === 0) return undefined;
  const account = await store.accounts.find(page.accountId);
  const timeZone = page.timeZone ?? account?.timeZone ?? "UTC";
  const update = { message, page, timeZone, incident, updates };
  if (subscriber.kind === "webhook") {
    const body = texts.updateBody(update);
    return { address, send: (signal) => callWebhook(deps, { message, address, body }, signal) };
  }
  const mail = texts.updateMail(update);
  const from = account?.branding?.from;
  return { address, send: (signal) => sendMail(deps, { message, address, mail, from }, signal) };
}

interface AddressedMail {
  readonly message: PageMessage;
  readonly address: string;
  readonly mail: RenderedMail;
  readonly from?: string | undefined;
}

async function sendMail(
  { mailer }: Deps,
  { message, address, mail, from }: AddressedMail,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === undefined)
    throw new DeliveryFailed("no mail server is set: WATCHPOST_SMTP_URL", { retryable: true });
  await mailer.send({ ...mail, from, to: address, date: new Date(message.createdAt) }, signal);
}

async function callWebhook(
  { webhooks, egress, clock }: Deps,
  { message, address, body }: { message: PageMessage; address: string; body: string },
  signal: AbortSignal,
): Promise<void> {
  const request = {
    method: "POST",
    url: address,
    headers: { "content-type": "application/json; charset=utf-8" },
  };
  const to = { ...addressDefaults, id: message.subscriberId, kind: "webhook", address };
  const outgoing = { id: messageIdOf(message), to, message: { subject: "", body, request } };
  await webhooks.send(outgoing, { signal, egress, clock, attempt: message.attempts });
}
