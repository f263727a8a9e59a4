import { InvalidInput } from "../../kit/errors.ts";
import { escapeXml } from "../../kit/http/escape-html.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { AlertContext, Message } from "../channel.ts";
import { serviceAt } from "../services/registry.ts";
import { digestPayloadOf, payloadOf } from "./payload.ts";
import { oneLine } from "../format/one-line.ts";
import { renderServiceRequest } from "./service-request.ts";
import {
  renderTemplate,
  maxRenderedLength,
  parseTemplate,
  type Variables,
} from "../format/template.ts";
import { variablesOf } from "../format/template-variables.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";
const MAX_HEADER_VARIABLE_LENGTH = 500;
const MAX_URL_LENGTH = 8000;
/** Usual server limit for all headers together. */
const MAX_HEADERS_LENGTH = 16_384;

const withoutBody = new Set(["GET", "HEAD"]);

/** Returns whether the request is the same for all checks, so that it can be about several: nothing in it is filled in. */
export function canCarryDigest({ address, request }: AlertContext["to"]): boolean {
  const { action = "post", data, headers = {}, querystrings = {} } = request ?? {};
  if (data !== undefined || action.toUpperCase() !== "POST") return false;
  const texts = [address, ...Object.values(headers), ...Object.values(querystrings)];
  return !texts.some((text) => text.includes("{"));
}

/** The request of one alert: as its address says, or in the format of the service that it goes to, or with our own payload. */
export function renderRequest(context: AlertContext): Required<Pick<Message, "body" | "request">> {
  const { address, request: settings } = context.to;
  const variables = variablesOf(context);
  const method = (settings?.action ?? "post").toUpperCase();
  const url = urlOf(address, { querystrings: settings?.querystrings ?? {}, variables });
  assertFits("address", url, MAX_URL_LENGTH);
  const headers = headersOf(settings?.headers ?? {}, variables);
  assertFits("headers", Object.values(headers).join(""), MAX_HEADERS_LENGTH);
  const isOwn = settings?.data !== undefined || method !== "POST";
  const service = isOwn ? undefined : serviceAt(url);
  if (service !== undefined) {
    const { body, request } = renderServiceRequest(service, context, { url, headers });
    const credentials = service.credentialsOf?.(new URL(url));
    return { body, request: { ...request, ...(credentials && { credentials }) } };
  }
  if (withoutBody.has(method)) return { body: "", request: { method, url, headers } };
  const { type, body } = bodyOf(context, { type: headers["content-type"], variables });
  assertFits("data", body, maxRenderedLength);
  return { body, request: { method, url, headers: { "content-type": type, ...headers } } };
}

function assertFits(part: string, text: string, most: number): void {
  if (text.length > most)
    throw new InvalidInput(`${part}: longer than ${most} characters once it is filled in`);
}

function urlOf(
  address: string,
  {
    querystrings,
    variables,
  }: { readonly querystrings: Readonly<Record<string, string>>; readonly variables: Variables },
): string {
  const filled = renderTemplate(
    parseTemplate(address),
    variables,
    /* guard: hosts of webhooks = (text) => text */ percentEncoded,
  );
  // A fragment is never sent.
  const [page = ""] = filled.split("#");
  const pairs = Object.entries(querystrings).map(([name, value]) => {
    const text = renderTemplate(parseTemplate(value), variables, unchanged);
    assertFits("querystrings", text, MAX_URL_LENGTH);
    return `${percentEncoded(name)}=${percentEncoded(text)}`;
  });
  if (pairs.length === 0) return page;
  return `${page}${page.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  variables: Variables,
): Readonly<Record<string, string>> {
  // guard: headers of webhooks = argument
  const oneLined = (text: string): string => oneLine(text, MAX_HEADER_VARIABLE_LENGTH);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = renderTemplate(parseTemplate(value), variables, oneLined);
      // Bytes of UTF-8, one to a character, as receivers expect beyond ASCII; Node refuses anything above U+00FF.
      return [name.toLowerCase(), Buffer.from(text, "utf8").toString("latin1")];
    }),
  );
}

function bodyOf(
  context: AlertContext,
  { type, variables }: { readonly type: string | undefined; readonly variables: Variables },
): { readonly type: string; readonly body: string } {
  const data = context.to.request?.data;
  if (data === undefined) {
    const { digest } = context;
    const payload = digest === undefined ? payloadOf(context) : digestPayloadOf(context, digest);
    return { type: JSON_TYPE, body: JSON.stringify(payload) };
  }
  if (typeof data !== "string")
    return { type: JSON_TYPE, body: JSON.stringify(filledJson(data, variables)) };
  const template = parseTemplate(data);
  if (type !== undefined)
    return { type, body: renderTemplate(template, variables, escapeFor(type)) };
  const json = renderTemplate(template, variables, insideJson);
  return isJson(json)
    ? { type: JSON_TYPE, body: json }
    : { type: TEXT_TYPE, body: renderTemplate(template, variables, unchanged) };
}

/** Only strings are templates, so that the result stays JSON. */
function filledJson(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return renderTemplate(parseTemplate(value), variables, unchanged);
  if (Array.isArray(value)) return value.map((item) => filledJson(item, variables));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filledJson(member, variables)]),
  );
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object";
  } catch {
    return false; // text is a body as good as any
  }
}

function escapeFor(type: string): (text: string) => string {
  if (/\bjson\b/i.test(type)) return insideJson;
  if (/\bx-www-form-urlencoded\b/i.test(type)) return percentEncoded;
  // guard: XML of webhooks = else
  return /\b(?:xml|x?html)\b/i.test(type) ? escapeXml : unchanged;
}

function insideJson(text: string): string {
  // guard: JSON of webhooks = parameter
  return JSON.stringify(text).slice(1, -1);
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function unchanged(text: string): string {
  return text;
}
