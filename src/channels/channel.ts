import type { Alert, AlertKind } from "../domain/alert/alert.ts";
import type { GroupedAlerts } from "../domain/alert/alert-grouping.ts";
import type { Branding } from "../domain/account/branding.ts";
import type { Address, Suppressions, WebhookRequest } from "../domain/contact/contact.ts";
import type { DiagnosticsReport } from "../domain/diagnostics.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

/** Kind of a message: that of an alert, or a test, which belongs to no check and leaves nothing open. */
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
  /** URL where the recipient reads about the check without a token; undefined if the operator disabled such links. */
  readonly pageUrl?: string | undefined;
  /** URL for acknowledging the outage; undefined if there is nothing to acknowledge. */
  readonly acknowledgeUrl?: string | undefined;
  /** How many others were sent the Down before, and did not acknowledge it. */
  readonly unacknowledgedBy?: number | undefined;
  /** Diagnostics of the outage so far; in mails only. */
  readonly diagnostics?: DiagnosticsReport | undefined;
  /** Set if the message is about several alerts: `alert` is then the first of them under the message's ID. */
  readonly digest?: Digest | undefined;
  /** The account's own sender and templates for mails. */
  readonly branding: Branding | undefined;
}

/** Summary of a message with several alerts. */
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
  /** Headers required by the channel's protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How it is sent over HTTP, its body left out. */
  readonly request?: RenderedRequest;
}

export interface RenderedRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the service whose format the body has, if it is one of ours. */
  readonly service?: string;
  /** Members that are added to the body when it is sent, and shown to nobody. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Request to the same service after it accepts this one, such as closing an incident. */
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

/** Services that a channel uses to send. */
export interface SendContext {
  readonly signal: AbortSignal;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly attempt: number;
}

/** Receiver's response to an accepted message, for the delivery record. */
export interface Receipt {
  readonly response: string;
}

export interface Channel {
  /** Whom a receiver sees as the sender. */
  readonly from: string;
  /** Reason why nothing can be sent to such addresses; undefined if sending works. */
  readonly unavailableReason: string | undefined;
  /** Set if addresses are not credentials: knowing a mailbox or a number does not allow acting as the account. */
  readonly showsAddress?: true;
  /** Returns the address as it is stored; throws InvalidInput with the expected format. */
  readonly parseAddress: (address: string) => string;
  /** Set if clients of the original service have addresses that `parseAddress` rejects. These may be kept unchanged. */
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
  /** Secret for verifying signatures, if messages are signed. */
  readonly signingSecretOf?: (address: Pick<Address, "id">) => string;
  /** Only of channels that lead to services that keep an incident open until its Up: whether an address is one of those. */
  readonly resolvesIncidents?: (address: string) => boolean;
  /** Whether the receiver can show an acknowledgement. */
  readonly acknowledgesIncidents?: (address: string) => boolean;
  /** Whether an address must not be told of outages that are already over. */
  readonly dropsPastOutages?: (to: Pick<Address, "address" | "request">) => boolean;
  /** Only of channels with priorities: the priority of an address that sets none. */
  readonly defaultPriority?: number;
  /** Renders the stored message, without credentials. */
  readonly render: (alert: AlertContext) => Message;
  /**
   * Only for channels that can combine several alerts in a message; undefined if their address does not support it. `id` is the message's ID, the same on every
   * attempt.
   */
  readonly renderDigest?: (alerts: AlertContexts, id: string) => DigestMessage | undefined;
  /** Alerts that are grouped; all by default. */
  readonly groupedAlerts?: GroupedAlerts;
  /** How many alerts fit into a message. */
  readonly maxDigestSize?: number;
  /** How many times as long as usual what follows a message to an address waits for more. */
  readonly groupWaitFactor?: number;
  /** Resolves once the receiver has taken it; otherwise throws DeliveryFailed. It never retries, and ends when the signal aborts. */
  readonly send: (outgoing: OutgoingMessage, context: SendContext) => Promise<Receipt>;
  readonly close: () => void;
}
