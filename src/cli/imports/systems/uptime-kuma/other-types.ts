import type { JsonObject } from "../../../api-client.ts";
import type { Notes, TypedCheck } from "../../imported.ts";
import { isOn, number, objects, text } from "../../source.ts";
import { jsonColumn, type ConvertMonitor, type Monitor } from "./columns.ts";
import { CERTIFICATE_NOTICE } from "./monitor-fields.ts";

const DNS_TYPES = new Set(["A", "AAAA", "ANY", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"]);

/** Monitors that are no HTTP, by their type. */
export const otherTypes: Readonly<Record<string, ConvertMonitor>> = {
  ping: ({ row }, notes) => withHost(row, notes, (target) => ({ type: "PING", target })),
  port: (monitor, notes) => portMonitor(monitor, notes),
  "sip-options": ({ row }, notes) => {
    notes.changed("type", "here any status up to 499 passes, there only 200");
    return withHost(row, notes, (target) => ({ type: "SIP", target, ...portOf(row) }));
  },
  dns: dnsMonitor,
  smtp: smtpMonitor,
  mysql: mysqlMonitor,
  "websocket-upgrade": websocketMonitor,
};

type Simple = { readonly type: string; readonly target: string; readonly port?: number };

/** Returns the host and port of a monitor, which may be part of a database URL. */
export function hostOf(row: JsonObject): { host?: string; port?: number } {
  const host = text(row.hostname);
  const port = number(row.port);
  if (host !== undefined) return { host, ...(port !== undefined && { port }) };
  const url = URL.parse(text(row.database_connection_string) ?? "");
  if (url === null || url.hostname === "") return {};
  return { host: url.hostname, ...(url.port !== "" && { port: Number(url.port) }) };
}

function portOf(row: JsonObject): { port?: number } {
  const port = number(row.port);
  return port === undefined ? {} : { port };
}

function withHost(
  row: JsonObject,
  notes: Notes,
  make: (host: string) => Simple,
): TypedCheck | string {
  const host = text(row.hostname);
  if (host === undefined) return "it has no host";
  noteUpsideDown(row, notes);
  const { type, target, port } = make(host);
  return { type, target, parameters: port === undefined ? {} : { port } };
}

function noteUpsideDown(row: JsonObject, notes: Notes): void {
  if (isOn(row.upside_down)) notes.off("upside_down", "it cannot be inverted");
}

function portMonitor({ row }: Monitor, notes: Notes): TypedCheck | string {
  const [target, port] = [text(row.hostname), number(row.port)];
  if (target === undefined || port === undefined) return "it has no host and port";
  const isInverted = isOn(row.upside_down);
  const security = text(row.smtp_security);
  // There a port is connected to without TLS unless its certificate is to be looked at.
  if (isOn(row.expiry_notification) && (security === "secure" || security === "starttls")) {
    if (security === "secure" && !isOn(row.ignore_tls)) {
      notes.changed("type", "its certificate is checked, which is what it has over a port");
      notes.leftOut("expiry_notification", CERTIFICATE_NOTICE);
      if (isInverted) notes.off("upside_down", "it cannot be inverted");
      return { type: "SSL", target, parameters: { port } };
    }
    notes.leftOut("expiry_notification", "the certificate of the port is not read");
  }
  return { type: "PORT", target, parameters: { port, ...(isInverted && { invert: true }) } };
}

function dnsMonitor({ row }: Monitor, notes: Notes): TypedCheck | string {
  const name = text(row.hostname);
  if (name === undefined) return "it has no name to look up";
  const dnstype = text(row.dns_resolve_type) ?? "A";
  if (!DNS_TYPES.has(dnstype)) return `records of type ${dnstype} cannot be looked up here`;
  const [server, ...others] = (text(row.dns_resolve_server) ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (others.length > 0) notes.changed("dns_resolve_server", `only ${server} is asked`);
  const conditions = objects(jsonColumn(row, "conditions", notes));
  const [condition] = conditions;
  const isPlain =
    conditions.length === 1 &&
    condition?.variable === "record" &&
    (condition.operator === "contains" || condition.operator === "equals");
  const value = isPlain ? text(condition?.value) : undefined;
  if (conditions.length > 0)
    notes[value === undefined ? "leftOut" : "changed"](
      "conditions",
      value === undefined
        ? "only one text that the answer must contain can be asked for"
        : "the text may be anywhere in the answer",
    );
  noteUpsideDown(row, notes);
  return {
    type: "DNS",
    ...(server !== undefined && { target: server }),
    parameters: {
      ...portOf(row),
      dnstype,
      dnstoresolve: name,
      ...(value !== undefined && { contentstring: value }),
    },
  };
}

function smtpMonitor({ row }: Monitor, notes: Notes): TypedCheck | string {
  const security = text(row.smtp_security);
  const secure = security === "secure" ? "ssl" : security === "starttls" ? "starttls" : false;
  if (security === null || security === undefined)
    notes.changed("smtp_security", "TLS is not used, not even where the server offers it");
  const check = withHost(row, notes, (target) => ({ type: "SMTP", target, ...portOf(row) }));
  if (typeof check === "string") return check;
  return { ...check, parameters: { ...check.parameters, secure } };
}

function mysqlMonitor({ row }: Monitor, notes: Notes): TypedCheck | string {
  const url = URL.parse(text(row.database_connection_string) ?? "");
  if (url === null || url.hostname === "") return "its address cannot be read";
  const plain = (part: string): string | undefined => {
    try {
      return text(decodeURIComponent(part));
    } catch {
      return text(part);
    }
  };
  const [username, database] = [plain(url.username), plain(url.pathname.slice(1))];
  // Theirs has a field of its own, which counts before the address.
  const password = text(row.radius_password) ?? plain(url.password);
  const query = text(row.database_query);
  if (url.search !== "") notes.leftOut("database_connection_string", `options ${url.search}`);
  noteUpsideDown(row, notes);
  return {
    type: "MYSQL",
    target: url.hostname,
    parameters: {
      ...(url.port !== "" && { port: Number(url.port) }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      ...(query !== undefined && { query }),
    },
  };
}

function websocketMonitor({ row }: Monitor, notes: Notes): TypedCheck | string {
  const url = text(row.url);
  if (url === undefined || !/^wss?:\/\//i.test(url)) return "it has no address of a WebSocket";
  const codes = jsonColumn(row, "accepted_statuscodes_json", notes);
  if (Array.isArray(codes) && JSON.stringify(codes) !== '["1000"]')
    notes.leftOut("accepted_statuscodes", "close codes are not looked at");
  noteUpsideDown(row, notes);
  return { type: "WEBSOCKET", target: url, parameters: {} };
}
