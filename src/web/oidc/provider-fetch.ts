import type { CustomFetch, CustomFetchOptions } from "openid-client";

import { createDeadline } from "../../kit/abort.ts";
import type { Clock } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { exchange, type HttpResponse } from "../../kit/http/exchange.ts";
import type { Egress } from "../../kit/net/egress.ts";

/** For all requests of one step together. */
const MAX_DURATION_MS = 10_000;
/** Metadata and keys of providers have some kilobytes. */
const MAX_BYTES = 262_144;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

interface Deps {
  readonly egress: Egress;
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
}

/** Does what needs the provider within its time. Throws Unavailable where the provider gave no answer, for whatever follows from that. */
export async function withProvider<Value>(
  { egress, clock }: Deps,
  work: (fetch: CustomFetch) => Promise<Value>,
): Promise<Value> {
  using deadline = createDeadline(clock, MAX_DURATION_MS);
  const { monotonic } = clock;
  const context = { egress, signal: deadline.signal, monotonic };
  let trouble: Unavailable | undefined;
  try {
    return await work(async (url, options) => {
      try {
        return responseOf(await exchange(requestOf(url, options), context));
      } catch (error) {
        trouble = new Unavailable("the provider does not answer", { cause: error });
        throw trouble;
      }
    });
  } catch (error) {
    throw trouble ?? error;
  }
}

function requestOf(url: string, { method, headers, body }: CustomFetchOptions) {
  return {
    url: new URL(url),
    method,
    headers,
    body: body instanceof URLSearchParams ? body.toString() : undefined,
    readBody: true,
    maxBodyBytes: MAX_BYTES,
    verifyTls: true,
  };
}

function responseOf({ status, headers, body, truncated }: HttpResponse): Response {
  if (truncated) throw new Unavailable(`more than ${MAX_BYTES} bytes`);
  if (status >= 500) throw new Unavailable(`status ${status}`);
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Response(NO_BODY.has(status) ? null : Buffer.from(body), { status, headers: pairs });
}
