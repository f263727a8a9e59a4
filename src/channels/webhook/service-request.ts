import type { AlertContext, Message, RenderedRequest } from "../channel.ts";
import type { RequestToSign, Service } from "../services/service.ts";

/** A message in the format of a service; its credentials are added when it is sent. */
export function renderServiceRequest(
  service: Service,
  context: AlertContext,
  { url, headers = {} }: { readonly url: string; readonly headers?: RenderedRequest["headers"] },
): Required<Pick<Message, "body" | "request">> {
  const { type, encode } = encodingOf(service);
  const renderOne = (about: AlertContext): NonNullable<RenderedRequest["next"]> => {
    const request = service.requestOf(about, new URL(url));
    return {
      method: request.method ?? "POST",
      url: request.url.href,
      headers: { ...headers, "content-type": type, ...request.headers },
      body: encode(request.body),
    };
  };
  const { body, ...request } = renderOne(context);
  const isOpenedByIt = context.kind === "missed" && service.resolvesIncidents === true;
  const next = isOpenedByIt ? renderOne({ ...context, kind: "up" }) : undefined;
  return { body, request: { ...request, service: service.name, ...(next && { next }) } };
}

/** The body with the credentials of the address in it, or the headers that are signed with them. */
export async function authorizedRequest(
  service: Service,
  { credentials, ...request }: RequestToSign,
): Promise<{ readonly headers: RenderedRequest["headers"]; readonly body: string }> {
  if (service.sign !== undefined)
    return { headers: await service.sign({ credentials, ...request }), body: request.body };
  const { decode, encode } = encodingOf(service);
  return { headers: {}, body: encode({ ...decode(request.body), ...credentials }) };
}

interface Encoding {
  readonly type: string;
  readonly encode: (body: object) => string;
  readonly decode: (text: string) => object;
}

const asJson: Encoding = {
  type: "application/json; charset=utf-8",
  encode: (body) => JSON.stringify(body),
  decode: (text) => JSON.parse(text),
};

const asForm: Encoding = {
  type: "application/x-www-form-urlencoded",
  encode: (body) =>
    new URLSearchParams(
      Object.entries(body).map(([name, value]) => [name, String(value)]),
    ).toString(),
  decode: (text) => Object.fromEntries(new URLSearchParams(text)),
};

function encodingOf({ form }: Service): Encoding {
  return form ? asForm : asJson;
}
