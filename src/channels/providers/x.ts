import { createHmac, randomUUID } from "node:crypto";

import { z } from "zod";

import { DeliveryFailed } from "../../kit/errors.ts";
import type { SendContext } from "../channel.ts";
import { type ApiResponse, isAccepted, rejectionOf, requestApi } from "./api-request.ts";
import type { HandleProvider } from "./provider.ts";
import type { Secret } from "../../kit/crypto/secret.ts";

export interface XSettings extends OauthKeys {
  /** Base URL of the API, without a final slash. */
  readonly url: string;
}

const found = z.object({ data: z.object({ id: z.string().regex(/^\d+$/) }) });
const sent = z.object({ data: z.object({ dm_event_id: z.string() }) });
const problem = z.object({ title: z.string(), detail: z.string(), type: z.string().optional() });
/** The user does not accept messages from this account. */
const closed = /permission to DM/;
/** The response about an unknown user has the status 200. */
const unknown = z.object({ errors: z.array(problem).min(1) });

/** Version 2 of its API: a direct message, which reaches only those who let this account write to them. It has no key that would make a repeated request one. */
export function createX({ url, ...keys }: XSettings): HandleProvider {
  const call = (
    path: string,
    body: string | undefined,
    context: SendContext,
  ): Promise<ApiResponse> => {
    const request = {
      method: body === undefined ? "GET" : "POST",
      url: new URL(`${url}/2/${path}`),
    } as const;
    const occasion = { now: context.clock.now(), once: randomUUID() };
    const authorization = oauthHeader(request, keys, occasion);
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return requestApi({ ...request, headers: { authorization, ...type }, body }, context);
  };
  const find = async (name: string, context: SendContext): Promise<string> => {
    const path = `users/by/username/${encodeURIComponent(name)}`;
    const answer = await call(path, undefined, context);
    if (!isAccepted(answer)) throw failureOf(answer, context.clock.now());
    const person = found.safeParse(answer.json);
    if (person.success) return person.data.data.id;
    const [trouble] = unknown.safeParse(answer.json).data?.errors ?? [];
    if (trouble === undefined)
      throw new DeliveryFailed(`no such user: ${answer.text}`, { retryable: true });
    const isUnknown = trouble.type?.endsWith("/resource-not-found") === true;
    throw new DeliveryFailed(trouble.detail, {
      retryable: false,
      address: isUnknown ? "gone" : "refused",
    });
  };
  return {
    async sendMessage(handle, { text }, context) {
      const id = await find(handle.replace("@", ""), context).catch(notYetSent);
      const path = `dm_conversations/with/${id}/messages`;
      const answer = await call(path, JSON.stringify({ text }), context);
      if (!isAccepted(answer)) throw failureOf(answer, context.clock.now());
      const { data } = sent.safeParse(answer.json);
      return { response: `${answer.status} ${data?.data.dm_event_id ?? answer.text}` };
    },
  };
}

/** Whatever became of the question who that is, no message was on its way. */
function notYetSent(error: unknown): never {
  if (!(error instanceof DeliveryFailed)) throw error;
  const { message, retryable, retryAfterMs, receiverAway, address } = error;
  throw new DeliveryFailed(message, {
    cause: error,
    retryable,
    retryAfterMs,
    receiverAway,
    address,
  });
}

function failureOf(answer: ApiResponse, now: number): DeliveryFailed {
  const { data } = problem.safeParse(answer.json);
  const words = data && `${data.title}: ${data.detail}`;
  const address = data !== undefined && closed.test(data.detail) ? "refused" : undefined;
  return rejectionOf(answer, { words, now, retryAfterMs: untilReset(answer, now), address });
}

function untilReset({ status, headers }: ApiResponse, now: number): number | undefined {
  const seconds = headers["x-rate-limit-reset"];
  return status === 429 && typeof seconds === "string" && /^\d{1,12}$/.test(seconds)
    ? Math.max(0, Number(seconds) * 1000 - now)
    : undefined;
}

/** The four keys of OAuth 1.0a: of the application, and of the user in whose name it acts. They do not expire. */
interface OauthKeys {
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  readonly accessToken: Secret;
  readonly accessSecret: Secret;
}

/** The Authorization header of a request whose body is no form (RFC 5849, 3). `once` makes it another than any before. */
export function oauthHeader(
  { method, url }: { readonly method: string; readonly url: URL },
  { apiKey, apiSecret, accessToken, accessSecret }: OauthKeys,
  { now, once }: { readonly now: number; readonly once: string },
): string {
  const oauth = {
    oauth_consumer_key: apiKey.reveal(),
    oauth_nonce: once,
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_token: accessToken.reveal(),
    oauth_version: "1.0",
  };
  // In the order of names, then of values: a space comes before all that is left in them.
  const parameters = [...url.searchParams, ...Object.entries(oauth)]
    .map((pair) => pair.map(encoded).join(" "))
    .toSorted()
    .map((pair) => pair.replace(" ", "="))
    .join("&");
  const base = [method, `${url.origin}${url.pathname}`, parameters].map(encoded).join("&");
  const key = [apiSecret, accessSecret].map((secret) => encoded(secret.reveal())).join("&");
  const signature = createHmac("sha1", key).update(base).digest("base64");
  const fields = Object.entries({ ...oauth, oauth_signature: signature });
  return `OAuth ${fields.map(([name, value]) => `${name}="${encoded(value)}"`).join(", ")}`;
}

/** RFC 3986, 2.3: only letters, digits and `-._~` stay. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
