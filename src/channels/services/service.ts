import type { AlertContext } from "../channel.ts";
import type { FailureDetails } from "../webhook/http-failure.ts";

/** A request to a service, a POST in its own shape. */
export interface ServiceRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | readonly object[];
  /** What else the body holds when it is sent; none of it is kept. */
  readonly credentials?: Readonly<Record<string, string>>;
}

export interface ServiceResponse {
  readonly status: number;
  /** Its first 2000 bytes. */
  readonly text: string;
}

/** A service that takes alerts in a shape of its own. */
export interface Service {
  readonly name: string;
  /** How the body is encoded; JSON unless it says so. */
  readonly form?: true;
  /** Whether it listens at a URL. */
  readonly matches: (url: URL) => boolean;
  readonly requestOf: (telling: AlertContext, url: URL) => ServiceRequest;
  /** What an answer means where the status does not say all of it; undefined where it does. */
  readonly failureDetailsOf?: (answer: ServiceResponse) => FailureDetails | undefined;
}
