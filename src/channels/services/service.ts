import type { Words } from "../../schema/words.ts";
import type { AlertContext } from "../channel.ts";
import type { FailureDetails } from "../webhook/http-failure.ts";

/** A request in the format of a service, without the credentials of its body. */
export interface ServiceRequest {
  /** POST unless it says so. */
  readonly method?: "PUT";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | readonly object[];
}

export interface RequestToSign {
  readonly url: URL;
  readonly body: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The time of the attempt. */
  readonly now: number;
}

export interface ServiceResponse {
  readonly status: number;
  /** Its first 2000 bytes. */
  readonly text: string;
}

/** Groups of services in lists, by purpose. */
export const serviceGroups = ["chat", "oncall", "push", "program"] as const;

export interface ValueEncoding {
  readonly encode: (value: string) => string;
  /** Undefined if the parameter has another format. */
  readonly decode: (value: string) => string | undefined;
}

/** A value that people get at the service, and that becomes a part of the address. */
export interface ServiceField {
  readonly name: string;
  readonly title: Words;
  /** Location of the value, or its effect. */
  readonly help: Words;
  readonly example: string;
  /** Text unless given. `numbers` are numbers or mailboxes, in which a plus is no space. */
  readonly kind?: "url" | "choice" | "numbers";
  /** Set for a credential: no response contains it. */
  readonly secret?: true;
  readonly optional?: true;
  /** Initial value in the form of a new address. */
  readonly suggested?: string;
  readonly pattern?: RegExp;
  /** Choices by value; `part` is the text in the address, if different. */
  readonly choices?: Readonly<Record<string, { readonly title: Words; readonly part?: string }>>;
  readonly encoding?: ValueEncoding;
}

/** A service that takes alerts in a format of its own. */
export interface Service {
  readonly name: string;
  readonly group: (typeof serviceGroups)[number];
  /** The page of the service that says where its values are found. */
  readonly guide: string;
  /** What people do there, in Markdown, for docs/channels.md. */
  readonly recipe: {
    readonly steps: string;
    /** Addresses as they are entered in place of the settings. */
    readonly addresses: readonly [string, ...string[]];
    readonly more?: string;
  };
  /** Its addresses, with names of fields in braces; new ones have the first form that their values suit. */
  readonly addresses: readonly [string, ...string[]];
  readonly fields: readonly ServiceField[];
  /** Whether it keeps an incident open until the alert that resolves it. */
  readonly resolvesIncidents?: true;
  /** Whether it notifies nobody of an incident that is resolved as soon as it is opened. */
  readonly dropsPastOutages?: true;
  /** Whether the receiver can show an acknowledgement. */
  readonly acknowledgesIncidents?: true;
  /** How the body is encoded; JSON unless it says so. */
  readonly form?: true;
  /** Whether it listens at a URL. */
  readonly matches: (url: URL) => boolean;
  readonly requestOf: (context: AlertContext, url: URL) => ServiceRequest;
  /** Parts of the URL that go into the request body when sent; not shown with the alert. */
  readonly credentialsOf?: (url: URL) => Readonly<Record<string, string>> | undefined;
  /** Makes the headers that prove at each attempt who sends; the credentials are then added to no body. */
  readonly sign?: (request: RequestToSign) => Promise<Readonly<Record<string, string>>>;
  /** The status of a response to a message that an earlier attempt brought. */
  readonly repeatedStatus?: number;
  /** Meaning of a response beyond its status; undefined if the status is sufficient. */
  readonly failureDetailsOf?: (response: ServiceResponse) => FailureDetails | undefined;
}
