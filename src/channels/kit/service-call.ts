import type { Telling } from "../channel.ts";
import type { Service } from "../services/service.ts";
import type { HttpCall } from "./hand-over.ts";

/** How a service is called for an alert, and what of the body is kept. */
export function serviceCallOf(
  service: Service,
  telling: Telling,
  { url, headers = {} }: { readonly url: string; readonly headers?: HttpCall["headers"] },
): HttpCall {
  const call = service.callOf(telling, new URL(url));
  const { type, encode } = service.form ? asForm : asJson;
  const { body, credentials } = call;
  return {
    method: "POST",
    url: call.url.href,
    headers: { ...headers, "content-type": type, ...call.headers },
    body: encode(credentials === undefined ? body : Object.assign({}, body, credentials)),
    said: encode(body),
    service,
  };
}

interface Encoding {
  readonly type: string;
  readonly encode: (body: object) => string;
}

const asJson: Encoding = {
  type: "application/json; charset=utf-8",
  encode: (body) => JSON.stringify(body),
};

const asForm: Encoding = {
  type: "application/x-www-form-urlencoded",
  encode: (body) =>
    new URLSearchParams(
      Object.entries(body).map(([name, value]) => [name, String(value)]),
    ).toString(),
};
