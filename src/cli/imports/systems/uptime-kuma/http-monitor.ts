import { basicAuth, httpCheck, type HttpCheckInput } from "../../http-check.ts";
import type { Notes, TypedCheck } from "../../imported.ts";
import { isOn, number, text, texts } from "../../source.ts";
import { headersOf, jsonColumn, type Monitor } from "./columns.ts";

const contentTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  xml: "application/xml",
};

/** Monitors of type http, keyword and json-query. */
export function httpMonitor(monitor: Monitor, notes: Notes): TypedCheck | string {
  const { row } = monitor;
  const url = text(row.url);
  if (url === undefined || !/^https?:\/\/[^/]/i.test(url)) return `no address of a page: ${url}`;
  const authentication = authenticationOf(monitor, notes);
  const body = text(row.body);
  const content = contentOf(monitor, notes);
  const fields = text(row.type) === "json-query" ? jsonFields(monitor, notes) : undefined;
  if (isOn(row.upside_down))
    notes.off("upside_down", "a check of a page that must fail does not exist");
  const contentType = contentTypes[text(row.http_body_encoding) ?? "json"];
  const check = httpCheck(
    {
      url,
      method: text(row.method),
      headers: {
        ...(body !== undefined && contentType !== undefined && { "Content-Type": contentType }),
        ...authentication.headers,
        ...headersOf(row, notes),
      },
      body,
      follow: (number(row.maxredirects) ?? 10) > 0,
      verify: !isOn(row.ignore_tls),
      statuses: texts(
        jsonColumn(row, "accepted_statuscodes_json", notes) ?? row.accepted_statuscodes,
      ),
      ...(content !== undefined && { content }),
      ...(fields !== undefined && { fields }),
      clientcert: authentication.clientcert,
    },
    notes,
  );
  return { type: check.type, target: url, parameters: check.parameters };
}

function contentOf({ row }: Monitor, notes: Notes): HttpCheckInput["content"] {
  const keyword = text(row.keyword);
  if (text(row.type) !== "keyword" || keyword === undefined) return undefined;
  if (/^\s*[[{"]/.test(keyword))
    notes.changed("keyword", "JSON is searched as it was sent, with its spaces");
  return { text: keyword, isAbsent: isOn(row.invert_keyword) };
}

interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly clientcert?: string;
}

function authenticationOf({ row }: Monitor, notes: Notes): Authentication {
  const method = text(row.auth_method) ?? "none";
  const user = text(row.basic_auth_user);
  if (method === "basic" || (method === "none" && user !== undefined)) {
    const authorization = basicAuth(user ?? "", text(row.basic_auth_pass) ?? "");
    return { headers: { Authorization: authorization } };
  }
  const bearer = text(row.bearer_token);
  if (method === "bearer" && bearer !== undefined)
    return { headers: { Authorization: `Bearer ${bearer}` } };
  const [certificate, key] = [text(row.tls_cert), text(row.tls_key)];
  if (method === "mtls" && certificate !== undefined && key !== undefined) {
    if (text(row.tls_ca) !== undefined)
      notes.leftOut("tls_ca", "certificates are verified by those of the system");
    return { headers: {}, clientcert: `${certificate}\n${key}` };
  }
  if (method === "none" || method === "null") return { headers: {} };
  notes.off("auth_method", `checks cannot sign in by ${method}`);
  return { headers: {} };
}

/** Matches a path of names and numbers, the supported subset of JSONata. */
const PLAIN_PATH = /^(?:\$\.)?[\w-]+(?:\.[\w-]+|\[\d+\])*$/;

/** Returns the range of a single number; undefined if it has none. */
function jsonFields({ row }: Monitor, notes: Notes): HttpCheckInput["fields"] {
  const path = text(row.json_path) ?? "$";
  const operator = text(row.json_path_operator) ?? "==";
  const value = number(row.expected_value);
  if (!PLAIN_PATH.test(path) || value === undefined) {
    notes.off(
      "json_path",
      `only numbers at a plain path can be compared, not ${path} ${operator} ${text(row.expected_value) ?? ""}`,
    );
    return undefined;
  }
  const limits = limitsOf(operator, value, notes);
  if (limits === undefined) {
    notes.off("json_path_operator", `numbers cannot be compared by ${operator}`);
    return undefined;
  }
  const name = path.replace(/^\$\./, "").replaceAll(/\[(\d+)\]/g, ".$1");
  return { value: { name, ...limits } };
}

/** Our limits are inclusive. */
function limitsOf(
  operator: string,
  value: number,
  notes: Notes,
): { min?: number; max?: number } | undefined {
  if (operator === "==") return { min: value, max: value };
  if (operator === ">=") return { min: value };
  if (operator === "<=") return { max: value };
  if (operator !== ">" && operator !== "<") return undefined;
  const next = Number.isInteger(value) ? value + (operator === ">" ? 1 : -1) : value;
  notes.changed(
    "json_path_operator",
    `limits are inclusive: ${operator} ${value} becomes ${operator}= ${next}`,
  );
  return operator === ">" ? { min: next } : { max: next };
}
