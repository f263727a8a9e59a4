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

/** A service that takes alerts in a format of its own. */
export interface Service {
  readonly name: string;
  /** Whether it keeps an incident open until the alert that resolves it. */
  readonly resolvesIncidents?: true;
  /** Whether it notifies nobody of an incident that is resolved as soon as it is opened. */
  readonly dropsPastOutages?: true;
  /** Whether it can be said there that somebody sees to an incident. */
  readonly acknowledgesIncidents?: true;
  /** How the body is encoded; JSON unless it says so. */
  readonly form?: true;
  /** Whether it listens at a URL. */
  readonly matches: (url: URL) => boolean;
  readonly requestOf: (context: AlertContext, url: URL) => ServiceRequest;
  /** What of the URL goes into the body of a request when it is sent; it is not shown with the alert. */
  readonly credentialsOf?: (url: URL) => Readonly<Record<string, string>> | undefined;
  /** Makes the headers that prove at each attempt who sends; the credentials are then added to no body. */
  readonly sign?: (request: RequestToSign) => Promise<Readonly<Record<string, string>>>;
  /** The status of a response to a message that an earlier attempt brought. */
  readonly repeatedStatus?: number;
  /** What a response means where the status does not say all of it; undefined where it does. */
  readonly failureDetailsOf?: (response: ServiceResponse) => FailureDetails | undefined;
}
