import { createHmac } from "node:crypto";

import { systemClock } from "../../src/kit/clock.ts";
import { jsonApiPeer, type ApiRequest, type ApiReply, type ApiFailure } from "./json-api.ts";
import type { HttpPeer } from "./http.ts";

export interface XKeys {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly accessToken: string;
  readonly accessSecret: string;
}

export interface XPeer extends HttpPeer {
  /** Direct messages by requests that are in order, taken or not. */
  readonly messages: readonly { readonly to: string; readonly text: string }[];
  /** Sets the failures of lookups and messages from now on; none accepts them. */
  readonly behave: (troubles: { readonly find?: ApiFailure; readonly send?: ApiFailure }) => void;
}

/** People who accept messages, by name in lower case. */
const people: ReadonlyMap<string, string> = new Map([
  ["ann", "2244994945"],
  ["example", "783214"],
]);
const MAX_TEXT = 10_000;
const MAX_SKEW_MS = 5 * 60_000;

/** A problem as https://docs.x.com/x-api/fundamentals/response-codes-and-errors shows it. */
export function xProblem(
  status: number,
  title: string,
  {
    detail = title,
    type = "about:blank",
  }: { readonly detail?: string; readonly type?: string } = {},
): ApiReply {
  return { status, body: { title, detail, type, status } };
}

/** Finds people and takes direct messages as version 2 of the API of X does, for one user of one application. */
export async function xPeer(keys: XKeys): Promise<XPeer> {
  const messages: { to: string; text: string }[] = [];
  const nonces = new Set<string>();
  let troubles: Parameters<XPeer["behave"]>[0] = {};

  const isSigned = (request: ApiRequest): boolean => {
    const [scheme, ...fields] = (request.headers.authorization ?? "").split(/ |, /);
    const given = new Map(
      fields.map((field) => {
        const [, name = "", value = ""] = /^(\w+)="([^"]*)"$/.exec(field) ?? [];
        return [name, decodeURIComponent(value)] as const;
      }),
    );
    const [nonce = "", seconds = 0] = [given.get("oauth_nonce"), given.get("oauth_timestamp")];
    const isFresh =
      !nonces.has(nonce) && Math.abs(systemClock.now() - Number(seconds) * 1000) < MAX_SKEW_MS;
    nonces.add(nonce);
    return (
      scheme === "OAuth" &&
      isFresh &&
      given.get("oauth_consumer_key") === keys.apiKey &&
      given.get("oauth_token") === keys.accessToken &&
      given.get("oauth_signature_method") === "HMAC-SHA1" &&
      given.get("oauth_signature") === signatureOf(request, given)
    );
  };
  const signatureOf = (
    { method, path, headers }: ApiRequest,
    given: ReadonlyMap<string, string>,
  ): string => {
    const parameters = [...given]
      .filter(([name]) => name !== "oauth_signature")
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const parts = [method, `http://${headers.host}${path}`, parameters.join("&")];
    const key = [keys.apiSecret, keys.accessSecret].map(encodeURIComponent).join("&");
    return createHmac("sha1", key).update(parts.map(encodeURIComponent).join("&")).digest("base64");
  };
  const find = (name: string): ApiReply => {
    if (!/^\w{1,15}$/.test(name))
      return xProblem(400, "Invalid Request", {
        detail: "One or more parameters to your request was invalid.",
        type: "https://api.x.com/2/problems/invalid-request",
      });
    const id = people.get(name.toLowerCase());
    if (id !== undefined) return { status: 200, body: { data: { id, name, username: name } } };
    const missing = {
      value: name,
      detail: `Could not find user with username: [${name}].`,
      title: "Not Found Error",
      resource_type: "user",
      parameter: "username",
      resource_id: name,
      type: "https://api.x.com/2/problems/resource-not-found",
    };
    return { status: 200, body: { errors: [missing] } };
  };
  const send = (to: string, { headers, body }: ApiRequest): ApiReply | undefined => {
    const isJson = headers["content-type"] === "application/json";
    const message: unknown = isJson ? JSON.parse(body) : undefined;
    const text =
      typeof message === "object" && message !== null && "text" in message ? message.text : "";
    if (typeof text !== "string" || text === "" || text.length > MAX_TEXT)
      return xProblem(400, "Invalid Request", {
        detail: "One or more parameters to your request was invalid.",
        type: "https://api.x.com/2/problems/invalid-request",
      });
    messages.push({ to, text });
    return undefined;
  };

  const peer = await jsonApiPeer((request) => {
    if (!isSigned(request)) return xProblem(401, "Unauthorized");
    const [, name] = /^\/2\/users\/by\/username\/([^/]+)$/.exec(request.path) ?? [];
    if (request.method === "GET" && name !== undefined)
      return troubles.find ?? find(decodeURIComponent(name));
    const [, to] = /^\/2\/dm_conversations\/with\/(\d{1,19})\/messages$/.exec(request.path) ?? [];
    if (request.method !== "POST" || to === undefined) return xProblem(404, "Not Found");
    const event = { dm_conversation_id: `${to}-99`, dm_event_id: "1580705921830768647" };
    return send(to, request) ?? troubles.send ?? { status: 201, body: { data: event } };
  });
  return {
    ...peer,
    messages,
    behave(next) {
      troubles = next;
    },
  };
}
