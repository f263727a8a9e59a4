import type { AlertContext } from "../channel.ts";
import type { Service } from "../services/service.ts";
import type { PreparedRequest } from "./send-http.ts";

/** How a service is called for an alert, and what of the body is kept. */
export function serviceRequestOf(
  service: Service,
  telling: AlertContext,
  { url, headers = {} }: { readonly url: string; readonly headers?: PreparedRequest["headers"] },
): PreparedRequest {
  const call = service.requestOf(telling, new URL(url));
  const { type, encode } = service.form ? asForm : asJson;
  const { body, credentials } = call;
  return {
    method: "POST",
    url: call.url.href,
    headers: { ...headers, "content-type": type, ...call.headers },
    body: encode(credentials === undefined ? body : Object.assign({}, body, credentials)),
    storedBody: encode(body),
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
