import type { JsonObject } from "../../api-client.ts";
import { CommandError } from "../../command-context.ts";
import { noteFields } from "../fields.ts";
import { basicAuth, httpCheck, type HttpCheckInput } from "../http-check.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportedContact,
  type ImportedMaintenance,
  type ImportSystem,
  type Notes,
  type RemoteApi,
  type TypedCheck,
} from "../imported.ts";
import { countOf, historyOfPieces } from "../history/history-files.ts";
import type { History, Piece } from "../history/history.ts";
import {
  listed,
  number,
  object,
  objects,
  readImportFiles,
  text,
  type ImportFile,
} from "../source.ts";
import { heartbeatOf, intervalOf, recheckOf, timeoutOf } from "../units.ts";
import { cronOf, durationOf, instantIn } from "../windows.ts";
import {
  configFields,
  version2Fields,
  version3Fields,
  windowFields,
} from "./uptimerobot-fields.ts";
import { plainRobotMonitor, type RobotMonitor } from "./uptimerobot-monitor.ts";

const MONITORS_A_PAGE = 50;
/** Kinds of contacts of version 2 whose value is an address. */
const addressTypes: Readonly<Record<string, string>> = {
  1: "sms",
  2: "email",
  5: "webhook",
  11: "slack",
};

export const uptimeRobot: ImportSystem = {
  name: "uptimerobot",
  description:
    "UptimeRobot: what its API answers to POST /v2/getMonitors (with alert_contacts=1) or GET /v3/monitors, all pages as files in a folder.",
  read: async (path) => importedOf(await readImportFiles(path)),
  remote: {
    usualUrl: "https://api.uptimerobot.com",
    headersOf: () => ({}),
    read: async (api) => importedOf(await filesOf(api)),
  },
};

async function filesOf(api: RemoteApi): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  const wanted = {
    alert_contacts: 1,
    auth_type: 1,
    custom_http_headers: 1,
    custom_http_statuses: 1,
    http_request_details: 1,
    logs: 1,
    mwindows: 1,
    timezone: 1,
  };
  for (let offset = 0, total = 1; offset < total; offset += MONITORS_A_PAGE) {
    const sent = { api_key: api.token, format: "json", limit: MONITORS_A_PAGE, offset, ...wanted };
    const value = await api.post("v2/getMonitors", sent);
    const { stat, error, pagination } = object(value);
    if (stat !== "ok")
      throw new CommandError(
        `UptimeRobot responded with ${text(object(error).message) ?? "an error"}`,
      );
    total = number(object(pagination).total) ?? 0;
    files.push({ name: `monitors-${offset}.json`, value });
  }
  return files;
}

function importedOf(files: readonly ImportFile[]): Imported {
  const records = listed(files, "monitors", "data");
  const sent = [
    ...listed(files, "alert_contacts"),
    ...records.flatMap((record) => objects(record.alert_contacts)),
  ];
  const contacts = new Map(
    sent.map((contact) => [text(contact.id) ?? "", contactOf(contact)] as const),
  );
  const absent: Imported["absent"][number][] = [];
  const checks = records.flatMap((record) => {
    const monitor = plainRobotMonitor(record);
    const made = checkOf(record, { monitor, contacts: new Set(contacts.keys()) });
    if (typeof made !== "string") {
      const history = historyOfLogs(objects(record.logs));
      return [{ ...made, ...(history !== undefined && { history }) }];
    }
    absent.push({ kind: "check", from: monitor.id, name: monitor.name, reason: made });
    return [];
  });
  const maintenance = windowsOf(records).flatMap((window) => {
    if (typeof window !== "string") return [window];
    const reason = "its times cannot be read";
    absent.push({ kind: "maintenance", from: window, name: window, reason });
    return [];
  });
  return { contacts: [...contacts.values()], checks, maintenance, absent };
}

const logStates: Readonly<Record<string, Piece["state"]>> = { 1: "down", 2: "up" };

/** Each says how long it was so. While a monitor was paused nothing is known. */
function historyOfLogs(logs: readonly JsonObject[]): History | undefined {
  const pieces = logs.map(({ type, datetime, duration, reason }): Piece | undefined => {
    const state = logStates[text(type) ?? ""];
    const [start, seconds] = [number(datetime), number(duration)];
    if (state === undefined || start === undefined || seconds === undefined) return undefined;
    const message = text(object(reason).detail) ?? "";
    return { state, start: start * 1000, end: (start + seconds) * 1000, message };
  });
  return historyOfPieces(countOf(logs.length, "log"), pieces);
}

function contactOf(contact: JsonObject): ImportedContact {
  const notes = createNotes();
  const value = text(contact.value);
  const type = addressTypes[text(contact.type) ?? ""];
  if (type === undefined || value === undefined)
    notes.leftOut("type", "it has no counterpart: add an address to this contact");
  return {
    from: text(contact.id) ?? "",
    name: text(contact.friendly_name) ?? value ?? "Alert contact",
    addresses: type === undefined || value === undefined ? [] : [{ type, address: value }],
    notes: notes.list,
  };
}

interface Plain {
  readonly monitor: RobotMonitor;
  readonly contacts: ReadonlySet<string>;
}

function checkOf(record: JsonObject, { monitor, contacts }: Plain): ImportedCheck | string {
  const notes = createNotes();
  const typed = typedCheck(monitor, notes);
  if (typeof typed === "string") return typed;
  const missing = monitor.contacts.filter(({ id }) => !contacts.has(id));
  if (missing.length > 0)
    notes.leftOut("alert contacts", "who they are is not in the files: add recipients");
  if (monitor.contacts.some(({ repeats }) => repeats))
    notes.leftOut("recurrence", "set reminders of its recipients: repeat, in minutes");
  const isVersion3 = record.friendlyName !== undefined;
  noteFields(record, isVersion3 ? version3Fields : version2Fields, notes);
  noteFields(object(record.config), configFields, notes, "config.");
  return {
    from: monitor.id,
    name: monitor.name,
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      ...(typed.type !== "PUSH" && {
        ...intervalOf(monitor.interval, notes),
        ...timeoutOf(monitor.timeout, notes),
        ...recheckOf(monitor.retries, notes),
      }),
      ...typed.parameters,
      ...(monitor.tags.length > 0 && { tags: monitor.tags }),
      enabled: monitor.isEnabled && !notes.isOff(),
    },
    recipients: monitor.contacts
      .filter(({ id }) => contacts.has(id))
      .map(({ id, delay }) => ({ contact: id, ...(delay > 0 && { delay }) })),
    aliases: typed.aliases ?? [],
    notes: notes.list,
  };
}

function typedCheck(monitor: RobotMonitor, notes: Notes): TypedCheck | string {
  const { type, url, port } = monitor;
  if (type === "heartbeat") {
    const path = URL.parse(url ?? "")?.pathname;
    if (path === undefined) notes.leftOut("url", "it is not shown, so no old address works");
    const times = { period: monitor.interval ?? 300, grace: monitor.grace ?? 0 };
    return {
      type: "PUSH",
      parameters: heartbeatOf(times, notes),
      aliases: path === undefined ? [] : [path],
    };
  }
  if (url === undefined) return "it has no address";
  const host = URL.parse(url)?.hostname || url;
  if (type === "ping") return { type: "PING", target: host, parameters: {} };
  if (type === "port")
    return port === undefined
      ? "it has no port"
      : { type: "PORT", target: host, parameters: { port } };
  if (type !== "http" && type !== "keyword") return `monitors of type ${type} do not exist here`;
  return httpOf(monitor, url, notes);
}

function httpOf(monitor: RobotMonitor, url: string, notes: Notes): TypedCheck {
  const { keyword, user, passing, otherAuthentication } = monitor;
  if (passing.length > 0)
    notes.leftOut("custom_http_statuses", `${passing.join(", ")} alarm there, and pass here`);
  if (otherAuthentication !== undefined)
    notes.off("authType", `checks cannot sign in by ${otherAuthentication}`);
  const wish: HttpCheckInput = {
    url,
    method: monitor.method,
    headers: {
      ...(user !== undefined && { Authorization: basicAuth(user, monitor.password ?? "") }),
      ...monitor.headers,
    },
    body: monitor.body,
    follow: monitor.follows,
    verify: monitor.verifies,
    statuses: monitor.statuses,
    ...(keyword !== undefined && { content: keyword }),
  };
  const check = httpCheck(wish, notes);
  return { type: check.type, target: url, parameters: check.parameters };
}

const intervals: Readonly<Record<string, string>> = {
  1: "once",
  2: "daily",
  3: "weekly",
  4: "monthly",
};

interface Covered {
  readonly window: JsonObject;
  readonly timeZone: string;
  readonly checks: readonly string[];
}

/** Windows follow the clock of the account there, which only version 2 shows, and only where it is asked to; a number is no name of a zone. */
function zoneOf({ timezone }: JsonObject): string {
  const name = text(timezone) ?? "";
  return /[a-z]/i.test(name) ? name : "the account at UptimeRobot";
}

/** Returns the windows of the monitors, each once with the monitors it covers; windows with unclear times have a reason. */
function windowsOf(monitors: readonly JsonObject[]): readonly (ImportedMaintenance | string)[] {
  const covered = new Map<string, Covered>();
  for (const monitor of monitors)
    for (const window of [...objects(monitor.mwindows), ...objects(monitor.maintenanceWindows)]) {
      const id = text(window.id) ?? "";
      const { checks } = covered.get(id) ?? { checks: [] };
      const timeZone = zoneOf(monitor);
      covered.set(id, { window, timeZone, checks: [...checks, text(monitor.id) ?? ""] });
    }
  return [...covered].map(([from, { window, timeZone, checks }]) => {
    const notes = createNotes();
    const name = text(window.friendly_name) ?? text(window.name) ?? `Maintenance ${from}`;
    const times = timesOf(window, notes);
    if (times === undefined) return `${from}, ${name}`;
    notes.changed("effect", "checks do not run meanwhile");
    noteFields(window, windowFields, notes);
    const duration = durationOf((number(window.duration) ?? 0) * 60, notes);
    const enabled = !["0", "paused"].includes((text(window.status) ?? "").toLowerCase());
    return {
      from,
      name,
      parameters: { ...times, duration, enabled },
      ...("cron" in times && { timeZone }),
      checks,
      notes: notes.list,
    };
  });
}

function timesOf(window: JsonObject, notes: Notes) {
  const interval = text(window.interval) ?? intervals[text(window.type) ?? ""];
  if (interval === "once") {
    const seconds = number(window.start_time);
    const start =
      seconds === undefined
        ? instantIn("UTC", `${text(window.date)} ${text(window.time)}`)
        : seconds * 1000;
    if (seconds === undefined) notes.changed("timezone", "its start is read as UTC");
    return start === undefined ? undefined : { start };
  }
  // Weekdays are from 1, which is Monday, to 7.
  const sent = Array.isArray(window.days) ? window.days : (text(window.value) ?? "").split("-");
  const days = sent.flatMap((day: unknown) => number(day) ?? []);
  const cron = cronOf({
    time: text(window.time) ?? text(window.start_time),
    ...(interval === "weekly" && { weekdays: days.map((day) => day % 7) }),
    ...(interval === "monthly" && { monthDays: days }),
  });
  if (cron === undefined) return undefined;
  return { cron };
}
