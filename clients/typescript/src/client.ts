import createClient, { type Client } from "openapi-fetch";

import { WatchpostError } from "./error.ts";
import { retryingFetch } from "./retrying-fetch.ts";
import type { components, paths } from "./schema.ts";

export { WatchpostError } from "./error.ts";
export { sendHeartbeat } from "./heartbeat.ts";
export type { Heartbeat, HeartbeatTarget } from "./heartbeat.ts";
export type { components, paths } from "./schema.ts";

export type Check = components["schemas"]["Check"];
export type NewCheck = components["schemas"]["PostChecks"];
export type Result = components["schemas"]["Result"];

export interface WatchpostOptions {
  /** The address of the service, such as `https://watchpost.example.com`. */
  readonly url: string;
  readonly token: string;
  /** How often a request that is refused for now is sent again; 3 if missing. */
  readonly retries?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface ResultRange {
  /** In ms since 1970. */
  readonly start?: number;
  readonly end?: number;
}

export interface Watchpost {
  /** Every operation of the API, by its path: `await dataOf(api.GET("/checks"))`. */
  readonly api: Client<paths>;
  /** The checks of the account, or of a subaccount. */
  readonly checks: (customerid?: string) => AsyncIterable<Check>;
  /** The results of a check, the newest first; more are asked for as they are read. */
  readonly results: (id: string, range?: ResultRange) => AsyncIterable<Result>;
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const PAGE = 500;

export function createWatchpost({
  url,
  token,
  retries = 3,
  fetch = globalThis.fetch,
}: WatchpostOptions): Watchpost {
  const api = createClient<paths>({
    baseUrl: `${url.replace(/\/+$/, "")}/api/1`,
    headers: { authorization: `Bearer ${token}` },
    fetch: retryingFetch({ retries, fetch }),
  });
  return {
    api,
    async *checks(customerid) {
      const query = customerid === undefined ? {} : { customerid };
      yield* Object.values(await dataOf(api.GET("/checks", { params: { query } })));
    },
    async *results(id, { start, end } = {}) {
      for (let last = end; ;) {
        const query = {
          clean: true,
          limit: PAGE,
          ...(start !== undefined && { start }),
          ...(last !== undefined && { end: last }),
        };
        const page = await dataOf(api.GET("/results/{id}", { params: { path: { id }, query } }));
        const results = page.map((each) => ("doc" in each ? each.doc : each));
        yield* results;
        const oldest = results.at(-1);
        if (oldest === undefined || results.length < PAGE) return;
        last = oldest.s - 1;
        // An end before the start asks for the other order.
        if (last < (start ?? 0)) return;
      }
    },
  };
}

/** The data of an answer; throws a WatchpostError where it is an error. */
export async function dataOf<Data>(request: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request;
  if (response.ok && data !== undefined && data !== null) return data;
  throw WatchpostError.of(response.status, error);
}
