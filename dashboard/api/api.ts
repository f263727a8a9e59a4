import createClient from "openapi-fetch";

import { accountOf } from "./account-choice.ts";
import type { paths } from "./schema.ts";
import { fetchWithSession } from "./session-end.ts";

/** A request that the service answered with an error; the message is its sentence. */
export class ApiError extends Error {
  readonly status: number;
  /** After which the same request may succeed; undefined where that is not known. */
  readonly retrySeconds: number | undefined;
  constructor(status: number, message: string, retrySeconds?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retrySeconds = retrySeconds;
  }
}

/** The public API, as the session of this browser; every request is for the account that was chosen. */
export const api = createClient<paths>({ baseUrl: "/api/1", fetch: fetchWithSession });

api.use({
  onRequest({ request }) {
    const account = accountOf();
    if (account === undefined) return undefined;
    const url = new URL(request.url);
    if (!url.searchParams.has("customerid")) url.searchParams.set("customerid", account);
    return new Request(url, request);
  },
});

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer; throws an ApiError where it is an error. */
export async function dataOf<Data>(request: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    // Each browser has a sentence of its own for it, which says less.
    if (cause instanceof TypeError) throw new Error("Watchpost cannot be reached.", { cause });
    throw cause;
  });
  if (response.ok && data !== undefined && data !== null) return data;
  const sentence = sentenceOf(error) ?? `HTTP status ${response.status}`;
  const retrySeconds = Number(response.headers.get("retry-after")) || undefined;
  throw new ApiError(response.status, sentence, retrySeconds);
}

function sentenceOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("error" in error)) return undefined;
  return typeof error.error === "string" ? error.error : undefined;
}
