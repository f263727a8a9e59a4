import type { Alert, AlertKind } from "../domain/alert/alert.ts";
import type { GroupedAlerts } from "../domain/alert/alert-grouping.ts";
import type { Branding } from "../domain/account/branding.ts";
import type { Address, Suppressions, WebhookRequest } from "../domain/contact/contact.ts";
import type { DiagnosticsReport } from "../domain/diagnostics.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

/** What a message is: an alert of a kind, or a test, of which no check knows and after which nothing is open anywhere. */
export type MessageKind = AlertKind | "test";

/** An alert with all that its message is rendered from: the address, the kind under which it is sent, and where a person can read more. */
export interface AlertContext {
  readonly alert: Alert;
  readonly to: Address;
  readonly kind: MessageKind;
  /** The account's time zone, for the times a person reads. */
  readonly timeZone: string;
  /** The public address of this installation. */
  readonly url: string;
  /** Where its receiver reads about the check without a token; undefined where the operator wants no such links. */
  readonly pageUrl?: string | undefined;
  /** Where a person can say that they see to the outage; undefined where there is nothing to acknowledge. */
  readonly acknowledgeUrl?: string | undefined;
  /** How many others were sent the Down before, and did not acknowledge it. */
  readonly unacknowledgedBy?: number | undefined;
  /** What was found out about the outage by now; of mails only. */
  readonly diagnostics?: DiagnosticsReport | undefined;
  /** Where the message is about several alerts: `alert` is then the first of them under the id of the message. */
  readonly digest?: Digest | undefined;
  /** The account's own sender and templates for mails. */
  readonly branding: Branding | undefined;
}

/** What a message about several alerts says of all of them. */
export interface Digest {
  readonly subject: string;
  readonly sentence: string;
  readonly alerts: AlertContexts;
}

export interface Message {
  readonly subject: string;
  readonly body: string;
  readonly html?: string;
  /** Whom the receiver sees as the sender, where that is not the channel's own. */
  readonly from?: string;
  /** What the channel's own protocol wants beside the text. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How it is sent over HTTP, its body left out. */
  readonly request?: RenderedRequest;
}

export interface RenderedRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the service whose format the body has, where it is one of ours. */
  readonly service?: string;
  /** Members that are added to the body when it is sent, and shown to nobody. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** What is sent to the same service once it accepted this, such as the end of an incident. */
  readonly next?: Pick<RenderedRequest, "method" | "url" | "headers"> & { readonly body: string };
}

/** A message on its way. It is plain JSON, rendered once: every attempt sends the same. */
export interface OutgoingMessage {
  /** The id of the alert, or of the bundle of several, on every attempt. */
  readonly id: string;
  readonly to: Address;
  readonly message: Message;
}

/** Several for one address. */
export type AlertContexts = readonly [AlertContext, ...AlertContext[]];

/** Several alerts for one address in one message. */
export interface DigestMessage extends Message {
  /** The text about each alert, in their order. */
  readonly parts: readonly string[];
}

/** What a channel may use to send. */
export interface SendContext {
  readonly signal: AbortSignal;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly attempt: number;
}

/** What the receiver said when it took the message, for the delivery record. */
export interface Receipt {
  readonly response: string;
}

export interface Channel {
  /** Whom a receiver sees as the sender. */
  readonly from: string;
  /** Why nothing can be sent to such addresses; undefined where it can. */
  readonly unavailableReason: string | undefined;
  /** Of channels whose addresses are no credentials: who knows a mailbox or a number can do nothing in the name of the account. */
  readonly showsAddress?: true;
  /** Returns the address as it is stored; throws InvalidInput with the expected format. */
  readonly parseAddress: (address: string) => string;
  /** Of channels for which clients of the original service have addresses in a form that `parseAddress` refuses. They may be kept as they are. */
  readonly otherForm?: {
    /** Whether the address may be kept; it may throw InvalidInput too. */
    readonly accepts: (address: string) => boolean;
    /** The effect on messages to it, as the end of a sentence. */
    readonly consequence: string;
  };
  /** Only of channels whose addresses have request settings: throws InvalidInput with the setting that is invalid. */
  readonly assertRequestSettings?: (request: WebhookRequest) => void;
  /** The suppressions of a new address that sets none. */
  readonly defaultSuppressions?: Partial<Suppressions>;
  /** Where messages are signed: what the receiver knows the signature by. */
  readonly signingSecretOf?: (address: Pick<Address, "id">) => string;
  /** Only of channels that lead to services that keep an incident open until its Up: whether an address is one of those. */
  readonly resolvesIncidents?: (address: string) => boolean;
  /** Whether it can be said there that somebody sees to an incident. */
  readonly acknowledgesIncidents?: (address: string) => boolean;
  /** Of such channels: whether an address has no use for an outage that is over when it is told of it. */
  readonly dropsPastOutages?: (to: Pick<Address, "address" | "request">) => boolean;
  /** Only of channels with priorities: the priority of an address that sets none. */
  readonly defaultPriority?: number;
  /** What is kept of the alert; credentials are not among it. */
  readonly render: (alert: AlertContext) => Message;
  /**
   * Only of channels that can send several alerts in one message; undefined where they cannot be sent so to their address. `id` is
   * that of the message, on every attempt.
   */
  readonly renderDigest?: (alerts: AlertContexts, id: string) => DigestMessage | undefined;
  /** Which alerts are grouped; all unless it says so. */
  readonly groupedAlerts?: GroupedAlerts;
  /** How many alerts fit into a message. */
  readonly largestDigest?: number;
  /** How many times as long as usual what follows a message to an address waits for more. */
  readonly groupWaitFactor?: number;
  /** Resolves once the receiver has taken it; otherwise throws DeliveryFailed. It never retries, and ends when the signal aborts. */
  readonly send: (outgoing: OutgoingMessage, context: SendContext) => Promise<Receipt>;
  readonly close: () => void;
}
