import { InvalidInput } from "../../kit/errors.ts";
import { assertSafe, isRecord, parseJson } from "../../kit/safe-json.ts";
import { parseForm } from "./form.ts";

export interface RawRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** A request whose parameters are merged, wherever they were sent. */
export interface ParsedRequest {
  /** The method, or the operation that the parameter `action` names in its place. */
  readonly action: string;
  /** The path after the API's version, decoded, without empty segments. */
  readonly path: readonly string[];
  readonly token: unknown;
  readonly values: RawValues;
}

/** Data of a request known before its body is read. */
export interface RequestAddress {
  readonly path: string;
  readonly query: RawValues;
  /** The parameter `json` of the query. */
  readonly json: RawValues;
}

export type RawValues = Readonly<Record<string, unknown>>;

/** Parameters that identify a record, account or operation: for them empty text is the same as not sent. */
const identifying: ReadonlySet<string> = new Set(["id", "customerid", "action", "token", "json"]);

/** Reads path and query as they came. */
export function parseAddress(url: string): RequestAddress {
  const [path = "", ...rest] = url.split("?");
  const query = omitUnset(parseForm(rest.join("?")));
  return { path, query, json: jsonParameter(query) };
}

/** Reads a request below `root`. Later sources take precedence: query, form, `json` in the query, `json` in the body, JSON body. */
export function parseRequest(
  { method, url, contentType, body }: RawRequest,
  root: string,
  { path, query, json: jsonInQuery } = parseAddress(url),
): ParsedRequest {
  const { form, json } = readBody(contentType, body ?? "");
  const inner = jsonParameter({ ...form, ...json });
  const merged = {
    ...query,
    /* guard: precedence of parameters */ ...form,
    ...jsonInQuery,
    ...inner,
    ...json,
  };
  const { json: _json, token, action, ...sent } = merged;
  assertSafe("parameters", sent);
  const values = withCustomerid(sent);
  if (action !== undefined && typeof action !== "string")
    throw new InvalidInput("action: must be text");
  return {
    action: (action ?? (method === "HEAD" ? "GET" : method)).toUpperCase(),
    path: segments(path).slice(segments(root).length),
    token,
    values,
  };
}

/** Some clients write `customerId`: in another spelling it would be ignored, and the request be about the wrong account. */
function withCustomerid(sent: RawValues): RawValues {
  const spelling = Object.keys(sent).find((name) => name !== "customerid" && isCustomerid(name));
  if (spelling === undefined) return sent;
  const others = Object.entries(sent).filter(([name]) => !isCustomerid(name));
  return { ...Object.fromEntries(others), customerid: sent.customerid ?? sent[spelling] };
}

function isCustomerid(name: string): boolean {
  return name.toLowerCase() === "customerid";
}

function readBody(
  contentType: string | undefined,
  body: string,
): { readonly form: RawValues; readonly json: RawValues } {
  const text = body.trim();
  if (text === "") return { form: {}, json: {} };
  // curl sends every body as a form by default, and no real form begins with a brace.
  if (text.startsWith("{") || /\bjson\b/i.test(contentType ?? ""))
    return { form: {}, json: omitUnset(jsonObject("body", text)) };
  if (/^multipart\//i.test(contentType ?? ""))
    throw new InvalidInput("body: must be JSON or application/x-www-form-urlencoded");
  return { form: omitUnset(parseForm(text)), json: {} };
}

function jsonParameter({ json }: RawValues): RawValues {
  if (json === undefined) return {};
  return omitUnset(
    typeof json === "string" ? jsonObject("json", json) : assertObject("json", json),
  );
}

function jsonObject(name: string, text: string): RawValues {
  return assertObject(name, parseJson(name, text));
}

function assertObject(name: string, value: unknown): RawValues {
  if (!isRecord(value)) throw new InvalidInput(`${name}: must be a JSON object`);
  return value;
}

/** Leaves out what is the same as not sent: null, and empty identifiers. */
export function omitUnset(values: RawValues): RawValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        value !== null && !(value === "" && (identifying.has(name) || isCustomerid(name))),
    ),
  );
}

function segments(path: string): readonly string[] {
  const decoded = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        throw new InvalidInput(`path: not valid percent-encoding ${JSON.stringify(segment)}`);
      }
    });
  assertSafe("path", decoded);
  return decoded;
}
