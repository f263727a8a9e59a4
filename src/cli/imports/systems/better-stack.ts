import type { JsonObject } from "../../api-client.ts";
import { noteFields } from "../fields.ts";
import { basicAuth, httpCheck } from "../http-check.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportedMaintenance,
  type ImportSystem,
  type Notes,
  type RemoteApi,
  type TypedCheck,
} from "../imported.ts";
import {
  isOn,
  listed,
  number,
  object,
  objects,
  readImportFiles,
  text,
  texts,
  type ImportFile,
} from "../source.ts";
import { heartbeatOf, intervalOf, timeoutOf } from "../units.ts";
import { cronOf, durationOf, noteRest } from "../windows.ts";
import { heartbeatFields, monitorFields } from "./better-stack-fields.ts";

const DAY_S = 86_400;

/** Types whose timeout is in milliseconds; for pages it is in seconds. */
const IN_MS = new Set(["ping", "tcp", "udp", "smtp", "pop", "imap", "dns"]);
/** On which TLS comes before the first word (RFC 8314). */
const TLS_PORTS = new Set([465, 993, 995]);
const mailTypes: Readonly<Record<string, string>> = { smtp: "SMTP", pop: "POP3", imap: "IMAP4" };

export const betterStack: ImportSystem = {
  name: "betterstack",
  description:
    "Better Stack: what its API answers to GET /api/v2/monitors and /api/v2/heartbeats, all pages as files in a folder.",
  read: async (path) => importedOf(await readImportFiles(path)),
  remote: {
    usualUrl: "https://uptime.betterstack.com/api/v2",
    headersOf: (token) => ({ authorization: `Bearer ${token}` }),
    read: async (api) => importedOf(await filesOf(api)),
  },
};

async function filesOf(api: RemoteApi): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  for (const name of ["monitors", "heartbeats"])
    for (let next: string | undefined = name; next !== undefined;) {
      const value = await api.get(next);
      files.push({ name: `${name}.json`, value });
      next = text(object(object(value).pagination).next);
    }
  return files;
}

function importedOf(files: readonly ImportFile[]): Imported {
  const absent: Imported["absent"][number][] = [];
  const maintenance: ImportedMaintenance[] = [];
  const checks = listed(files, "data").flatMap((record) => {
    const attributes = object(record.attributes);
    const from = `${text(record.type) ?? "monitor"}-${text(record.id) ?? ""}`;
    const name =
      text(attributes.pronounceable_name) ?? text(attributes.name) ?? text(attributes.url) ?? "";
    const monitor = { from, name, attributes };
    const made = record.type === "heartbeat" ? [heartbeatCheck(monitor)] : monitorChecks(monitor);
    if (typeof made !== "string") {
      maintenance.push(...maintenanceOf(monitor, made));
      return made;
    }
    absent.push({ kind: "check", from, name, reason: made });
    return [];
  });
  return { contacts: [], checks, maintenance, absent };
}

interface Monitor {
  readonly from: string;
  readonly name: string;
  readonly attributes: JsonObject;
}

function heartbeatCheck({ from, name, attributes }: Monitor): ImportedCheck {
  const notes = createNotes();
  const period = number(attributes.period) ?? 86_400;
  const path = URL.parse(text(attributes.url) ?? "")?.pathname;
  if (path === undefined) notes.leftOut("url", "it has none, so no old address works");
  noteFields(attributes, heartbeatFields, notes);
  return {
    from,
    name,
    type: "PUSH",
    parameters: {
      ...heartbeatOf({ period, grace: number(attributes.grace) ?? 0 }, notes),
      enabled: !isOn(attributes.paused),
    },
    recipients: [],
    aliases: path === undefined ? [] : [path],
    notes: notes.list,
  };
}

/** One, or of several ports one for each. */
function monitorChecks({ from, name, attributes }: Monitor): readonly ImportedCheck[] | string {
  const ports = (text(attributes.port) ?? "")
    .split(",")
    .map((port) => port.trim())
    .filter((port) => port !== "");
  const checks: ImportedCheck[] = [];
  for (const port of ports.length === 0 ? [undefined] : ports) {
    const notes = createNotes();
    const typed = typedCheck(attributes, port === undefined ? undefined : Number(port), notes);
    if (typeof typed === "string") return typed;
    const isSeveral = ports.length > 1;
    if (isSeveral) notes.changed("port", `a check for each of ${ports.join(", ")}`);
    const type = text(attributes.monitor_type) ?? "";
    const timeout = number(attributes.request_timeout);
    const seconds = timeout !== undefined && IN_MS.has(type) ? timeout / 1000 : timeout;
    noteTimes(attributes, notes);
    noteFields(attributes, monitorFields, notes);
    checks.push({
      from: isSeveral ? `${from}-${port}` : from,
      name: isSeveral ? `${name} ${port}` : name,
      type: typed.type,
      ...(typed.target !== undefined && { target: typed.target }),
      parameters: {
        ...intervalOf(number(attributes.check_frequency), notes),
        ...timeoutOf(seconds, notes),
        ...(text(attributes.ip_version) === "ipv6" && { ipv6: true }),
        ...typed.parameters,
        enabled: !isOn(attributes.paused) && !notes.isOff(),
      },
      recipients: [],
      aliases: [],
      notes: notes.list,
    });
  }
  return checks;
}

function noteTimes(attributes: JsonObject, notes: Notes): void {
  const confirmation = number(attributes.confirmation_period) ?? 0;
  if (confirmation > 0)
    notes.changed(
      "confirmation_period",
      `give recipients a delay of ${Math.ceil(confirmation / 60)} min`,
    );
}

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Returns the window of a monitor or a heartbeat with its checks; none if it has no window. */
function maintenanceOf(
  { from, name, attributes }: Monitor,
  checks: readonly ImportedCheck[],
): readonly ImportedMaintenance[] {
  const [time, until] = [text(attributes.maintenance_from), text(attributes.maintenance_to)];
  const notes = createNotes();
  const days = texts(attributes.maintenance_days).map((day) => DAYS.indexOf(day.toLowerCase()));
  const weekdays = days.filter((day) => day !== -1);
  const cron = cronOf({ time, weekdays });
  const seconds = secondsBetween(time, until);
  if (cron === undefined || seconds === undefined) return [];
  noteRest(notes);
  return [
    {
      from,
      name: `${name}, maintenance`,
      parameters: { cron, duration: durationOf(seconds, notes), enabled: true },
      timeZone: text(attributes.maintenance_timezone) ?? "UTC",
      checks: checks.map((check) => check.from),
      notes: notes.list,
    },
  ];
}

/** From one time of the day to the next such time, which may be on the next day. */
function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const [start, end] = [from, to].map((time) => Date.parse(`1970-01-01T${time}Z`) / 1000);
  if (start === undefined || end === undefined || Number.isNaN(end - start)) return undefined;
  return end > start ? end - start : end - start + DAY_S;
}

function typedCheck(
  attributes: JsonObject,
  port: number | undefined,
  notes: Notes,
): TypedCheck | string {
  const type = text(attributes.monitor_type) ?? "none";
  const target = text(attributes.url);
  if (target === undefined) return "it has no address";
  const withPort = port === undefined ? {} : { port };
  if (["status", "expected_status_code", "keyword", "keyword_absence"].includes(type))
    return httpOf(attributes, { type, url: target }, notes);
  const keyword = text(attributes.required_keyword);
  if (type !== "dns" && keyword !== undefined)
    notes.leftOut("required_keyword", "the answer is not searched");
  if (type === "ping") return { type: "PING", target, parameters: {} };
  if (type === "tcp" && port !== undefined) return { type: "PORT", target, parameters: { port } };
  const mail = mailTypes[type];
  if (mail !== undefined) {
    const secure = port !== undefined && TLS_PORTS.has(port) ? { secure: "ssl" } : {};
    return { type: mail, target, parameters: { ...withPort, ...secure } };
  }
  if (type === "dns")
    return {
      type: "DNS",
      target,
      parameters: {
        ...withPort,
        dnstoresolve: text(attributes.request_body) ?? "",
        ...(keyword !== undefined && { contentstring: keyword }),
      },
    };
  return `monitors of type ${type} do not exist here`;
}

function httpOf(
  attributes: JsonObject,
  { type, url }: { readonly type: string; readonly url: string },
  notes: Notes,
): TypedCheck {
  const keyword = text(attributes.required_keyword);
  const user = text(attributes.auth_username);
  const statuses = type === "expected_status_code" ? texts(attributes.expected_status_codes) : [];
  if (type === "status") notes.changed("status", "any 2xx becomes 200 to 399");
  const headers = objects(attributes.request_headers).map(({ name, value }) => [
    text(name) ?? "",
    text(value) ?? "",
  ]);
  const check = httpCheck(
    {
      url,
      method: text(attributes.http_method),
      headers: {
        ...(user !== undefined && {
          Authorization: basicAuth(user, text(attributes.auth_password) ?? ""),
        }),
        ...Object.fromEntries(headers),
      },
      body: text(attributes.request_body),
      follow: isOn(attributes.follow_redirects),
      verify: isOn(attributes.verify_ssl),
      statuses,
      ...(keyword !== undefined && {
        content: { text: keyword, isAbsent: type === "keyword_absence" },
      }),
    },
    notes,
  );
  return { type: check.type, target: url, parameters: check.parameters };
}
