import type { IncomingHttpHeaders } from "node:http";

/** What a stranger asks for. */
export interface PublicRequest {
  readonly method: "GET" | "POST";
  /** Of the path, as they were sent, without those that are empty. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The key under which the client is counted. */
  readonly client: string;
}
