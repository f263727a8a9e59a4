import type { JsonObject } from "../../../api-client.ts";
import { httpCheck } from "../../http-check.ts";
import { noteFields } from "../../fields.ts";
import { createNotes, type ImportedCheck, type Notes, type TypedCheck } from "../../imported.ts";
import { isOn, object, text, texts } from "../../source.ts";
import { goSeconds, heartbeatOf, intervalOf, recheckOf, timeoutOf } from "../../units.ts";
import { alertsOf, contactKey, type GatusAlert } from "./alerting.ts";
import { readConditions, type Conditions } from "./conditions.ts";
import {
  clientFields,
  dnsFields,
  endpointFields,
  externalFields,
  heartbeatFields,
  sshFields,
} from "./fields.ts";

const USUAL_INTERVAL_S = 60;
const USUAL_TIMEOUT_S = 10;
const DNS_TYPES = new Set(["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"]);

/** The name by which gatus knows an endpoint, also in addresses. */
export function keyOf({ group, name }: JsonObject): string {
  const clean = (part: unknown): string =>
    (text(part) ?? "").toLowerCase().replaceAll(/[/_., #+&]/g, "-");
  return `${clean(group)}_${clean(name)}`;
}

export function endpointToCheck(
  endpoint: JsonObject,
  alerting: JsonObject,
): ImportedCheck | string {
  const notes = createNotes();
  const conditions = readConditions(texts(endpoint.conditions), notes);
  const client = object(endpoint.client);
  const typed = typedCheck(endpoint, { conditions, client }, notes);
  if (typeof typed === "string") return typed;
  noteFields(endpoint, endpointFields(schemeOf(endpoint)), notes);
  noteFields(client, clientFields, notes, "client.");
  const interval = goSeconds(endpoint.interval) ?? USUAL_INTERVAL_S;
  const alerts = alertsOf(endpoint, alerting, notes).filter(({ isEnabled }) => isEnabled);
  return {
    from: keyOf(endpoint),
    name: text(endpoint.name) ?? keyOf(endpoint),
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      ...intervalOf(interval, notes),
      ...timeoutOf(
        Math.min(conditions.timeout ?? Infinity, goSeconds(client.timeout) ?? USUAL_TIMEOUT_S),
        notes,
      ),
      ...(alerts.length > 0 && recheckOf(fewestFailures(alerts) - 1, notes)),
      ...(text(client.network) === "ip6" && { ipv6: true }),
      ...typed.parameters,
      ...tagsOf(endpoint),
      enabled: endpoint.enabled !== false && !notes.isOff(),
    },
    recipients: recipientsOf(alerts, interval),
    aliases: [],
    notes: notes.list,
  };
}

/** An endpoint whose results are sent to it. */
export function externalToCheck(endpoint: JsonObject, alerting: JsonObject): ImportedCheck {
  const notes = createNotes();
  const [key, token] = [keyOf(endpoint), text(endpoint.token)];
  const period = goSeconds(object(endpoint.heartbeat).interval) ?? 0;
  noteFields(endpoint, externalFields, notes);
  noteFields(object(endpoint.heartbeat), heartbeatFields, notes, "heartbeat.");
  const alerts = alertsOf(endpoint, alerting, notes).filter(({ isEnabled }) => isEnabled);
  if (token === undefined) notes.leftOut("token", "it has none, so its address does not work");
  if (period > 0)
    notes.changed("first heartbeat", "a check that was never heard from gives no alarm");
  return {
    from: key,
    name: text(endpoint.name) ?? key,
    type: "PUSH",
    parameters: {
      ...(period > 0 ? heartbeatOf({ period, grace: 0 }, notes) : { oldresultfail: false }),
      ...tagsOf(endpoint),
      enabled: endpoint.enabled !== false,
    },
    recipients: recipientsOf(alerts, period),
    aliases:
      token === undefined
        ? []
        : [`/api/v1/endpoints/${key}/external?token=${encodeURIComponent(token)}`],
    notes: notes.list,
  };
}

function tagsOf(endpoint: JsonObject): { tags?: readonly string[] } {
  const labels = { group: endpoint.group, ...object(endpoint["extra-labels"]) };
  const tags = Object.entries(labels).flatMap(([name, value]) => {
    const label = text(value);
    return label === undefined ? [] : [`${name}:${label}`.slice(0, 100)];
  });
  return tags.length === 0 ? {} : { tags };
}

/** Returns the kind of endpoint, which determines the relevant fields. */
function schemeOf(endpoint: JsonObject): string {
  if (endpoint.dns !== undefined) return "dns";
  const scheme = URL.parse(text(endpoint.url) ?? "")?.protocol.slice(0, -1) ?? "";
  return { https: "http", wss: "ws" }[scheme] ?? scheme;
}

function fewestFailures(alerts: readonly GatusAlert[]): number {
  return Math.max(1, Math.min(...alerts.map(({ failures }) => failures)));
}

/** Recipients alerted after more failures than others are alerted with a delay. */
function recipientsOf(
  alerts: readonly GatusAlert[],
  interval: number,
): ImportedCheck["recipients"] {
  const fewest = fewestFailures(alerts);
  return alerts.map((alert) => {
    const delay = Math.floor(((alert.failures - fewest) * interval) / 60);
    return { contact: contactKey(alert), ...(delay > 0 && { delay }) };
  });
}

function typedCheck(
  endpoint: JsonObject,
  { conditions, client }: { readonly conditions: Conditions; readonly client: JsonObject },
  notes: Notes,
): TypedCheck | string {
  const address = text(endpoint.url) ?? "";
  if (endpoint.dns !== undefined)
    return dnsCheck(address, { dns: object(endpoint.dns), conditions }, notes);
  const url = URL.parse(address);
  if (url === null) return `its address cannot be read: ${address}`;
  const scheme = url.protocol.slice(0, -1);
  const [host, port] = [url.hostname, url.port === "" ? undefined : Number(url.port)];
  const withPort = port === undefined ? {} : { port };
  const warning =
    conditions.warningdays === undefined ? {} : { warningdays: conditions.warningdays };
  if (scheme === "http" || scheme === "https")
    return httpOf(endpoint, { address, conditions, client }, notes);
  if (scheme === "icmp") return { type: "PING", target: host, parameters: {} };
  if (scheme === "tcp" && port !== undefined)
    return {
      type: "PORT",
      target: host,
      parameters: { port, ...(conditions.isInverted && { invert: true }) },
    };
  if (scheme === "tls")
    return { type: "SSL", target: host, parameters: { ...withPort, ...warning } };
  if (scheme === "starttls")
    return {
      type: "SMTP",
      target: host,
      parameters: { ...withPort, secure: "starttls", verify: true, ...warning },
    };
  if (scheme === "ssh") return sshCheck(endpoint, { host, withPort }, notes);
  if (scheme === "ws" || scheme === "wss") {
    const body = text(endpoint.body);
    const { content } = conditions;
    return {
      type: "WEBSOCKET",
      target: address,
      parameters: {
        ...(body !== undefined && { data: body }),
        ...(content !== undefined && {
          contentstring: content.text,
          ...(content.isAbsent === true && { invert: true }),
        }),
      },
    };
  }
  return `endpoints of ${scheme} do not exist here`;
}

function sshCheck(
  endpoint: JsonObject,
  { host, withPort }: { readonly host: string; readonly withPort: JsonObject },
  notes: Notes,
): TypedCheck {
  const ssh = object(endpoint.ssh);
  const [username, password] = [text(ssh.username), text(ssh.password)];
  const sshkey = text(ssh["private-key"]);
  noteFields(ssh, sshFields, notes, "ssh.");
  return {
    type: "SSH",
    target: host,
    parameters: {
      ...withPort,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(sshkey !== undefined && { sshkey }),
    },
  };
}

/** Its address is the server that is asked. */
function dnsCheck(
  address: string,
  { dns, conditions }: { readonly dns: JsonObject; readonly conditions: Conditions },
  notes: Notes,
): TypedCheck | string {
  noteFields(dns, dnsFields, notes, "dns.");
  const type = text(dns["query-type"]) ?? "A";
  if (!DNS_TYPES.has(type)) return `records of type ${type} cannot be looked up here`;
  const url = URL.parse(address.includes("://") ? address : `dns://${address}`);
  return {
    type: "DNS",
    target: url?.hostname || address,
    parameters: {
      ...(url?.port !== undefined && url.port !== "" && { port: Number(url.port) }),
      dnstype: type,
      dnstoresolve: text(dns["query-name"]) ?? "",
      ...(conditions.content !== undefined && { contentstring: conditions.content.text }),
    },
  };
}

function httpOf(
  endpoint: JsonObject,
  {
    address,
    conditions,
    client,
  }: {
    readonly address: string;
    readonly conditions: Conditions;
    readonly client: JsonObject;
  },
  notes: Notes,
): TypedCheck {
  const isVerified = !isOn(client.insecure);
  if (!conditions.hasStatus)
    notes.changed("[STATUS]", "without a condition any passes there; here 200 to 399");
  if (conditions.isInverted)
    notes.off("[CONNECTED] == false", "a page that must fail does not exist");
  const body = text(endpoint.body);
  const headers = Object.fromEntries(
    Object.entries(object(endpoint.headers)).map(([name, value]) => [name, String(value)]),
  );
  const check = httpCheck(
    {
      url: address,
      method: text(endpoint.method),
      headers,
      body: isOn(endpoint.graphql) ? JSON.stringify({ query: body ?? "" }) : body,
      follow: !isOn(client["ignore-redirect"]),
      verify: isVerified,
      warningdays: isVerified ? conditions.warningdays : undefined,
      statuses: conditions.statuses,
      ...(conditions.content !== undefined && { content: conditions.content }),
      ...(Object.keys(conditions.fields).length > 0 && { fields: conditions.fields }),
    },
    notes,
  );
  return { type: check.type, target: address, parameters: check.parameters };
}
