import type { IncomingHttpHeaders } from "node:http";

/** Request without a token. */
export interface PublicRequest {
  readonly method: "GET" | "POST";
  /** Segments of the path as sent, without empty ones. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The key under which the client is counted. */
  readonly client: string;
}
