import type { JsonObject } from "../../api-client.ts";
import { noteFields } from "../fields.ts";
import { basicAuth, httpCheck } from "../http-check.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportSystem,
  type Notes,
  type RemoteApi,
  type TypedCheck,
} from "../imported.ts";
import { countOf, divideFiles, historyOfPieces } from "../history/history-files.ts";
import type { History, Piece } from "../history/history.ts";
import {
  isOn,
  number,
  object,
  objects,
  readImportFiles,
  text,
  type ImportFile,
} from "../source.ts";
import { descriptionOf } from "../units.ts";
import { checkFields, dnsFields, httpFields, mailFields, tcpFields } from "./pingdom-fields.ts";

const MAX_CHECKS = 25_000;
const HISTORY_MS = 365 * 86_400_000;

export const pingdom: ImportSystem = {
  name: "pingdom",
  description:
    "Pingdom: what its API 3.1 answers to GET /checks/<id>, one file for each check in a folder, or a list of them.",
  read: async (path) => importedOf(await readImportFiles(path)),
  remote: {
    usualUrl: "https://api.pingdom.com/api/3.1",
    headersOf: (token) => ({ authorization: `Bearer ${token}` }),
    read: async (api) => importedOf(await filesOf(api)),
  },
};

async function filesOf(api: RemoteApi): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  const { checks } = object(await api.get("checks", { limit: MAX_CHECKS }));
  const from = Math.floor((api.now() - HISTORY_MS) / 1000);
  for (const id of objects(checks).flatMap((check) => text(check.id) ?? [])) {
    files.push({ name: `${id}.json`, value: await api.get(`checks/${id}`) });
    const outages = await api.get(`summary.outage/${id}`, { from });
    files.push({ name: `outages-${id}.json`, value: outages });
  }
  return files;
}

function importedOf(sources: readonly ImportFile[]): Imported {
  const { files, about } = divideFiles(sources, "outages");
  const details = files.flatMap(({ value }) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => {
      const { check, checks } = object(each);
      return check === undefined ? objects(checks) : [object(check)];
    }),
  );
  const absent: Imported["absent"][number][] = [];
  const checks = details.flatMap((detail) => {
    const made = checkOf(detail);
    if (typeof made !== "string") {
      const history = historyOfStates(object(object(about(made.from)).summary).states);
      return [{ ...made, ...(history !== undefined && { history }) }];
    }
    const [from, name] = [text(detail.id) ?? "", text(detail.name) ?? ""];
    absent.push({ kind: "check", from, name, reason: made });
    return [];
  });
  return { contacts: [], checks, maintenance: [], absent };
}

/** Converts the response of GET /summary.outage/<id>. */
function historyOfStates(states: unknown): History | undefined {
  const sent = objects(states);
  const pieces = sent.map(({ status, timefrom, timeto }): Piece | undefined => {
    const [start, end] = [number(timefrom), number(timeto)];
    if ((status !== "up" && status !== "down") || start === undefined || end === undefined)
      return undefined;
    return { state: status, start: start * 1000, end: end * 1000 };
  });
  return historyOfPieces(countOf(sent.length, "state"), pieces);
}

function checkOf(detail: JsonObject): ImportedCheck | string {
  const notes = createNotes();
  const [type, settings] = Object.entries(object(detail.type))[0] ?? [];
  if (type === undefined)
    return "a list of checks lacks their settings: GET /checks/<id> for each has them";
  const typed = typedCheck(detail, { type, settings: object(settings) }, notes);
  if (typeof typed === "string") return typed;
  const resolution = number(detail.resolution) ?? 5;
  const failures = number(detail.sendnotificationwhendown) ?? 1;
  if (failures > 1)
    notes.changed(
      "sendnotificationwhendown",
      `give recipients a delay of ${(failures - 1) * resolution} min`,
    );
  noteFields(detail, checkFields, notes);
  const tags = objects(detail.tags).flatMap(({ name }) => text(name) ?? []);
  return {
    from: text(detail.id) ?? "",
    name: text(detail.name) ?? "",
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      interval: resolution,
      threshold: 30,
      ...((isOn(detail.ipv6) || isOn(detail.ip6)) && { ipv6: true }),
      ...descriptionOf(text(detail.custom_message), notes),
      ...typed.parameters,
      ...(tags.length > 0 && { tags }),
      enabled: text(detail.status) !== "paused" && !isOn(detail.paused),
    },
    recipients: [],
    aliases: [],
    notes: notes.list,
  };
}

function typedCheck(
  { hostname }: JsonObject,
  { type, settings }: { readonly type: string; readonly settings: JsonObject },
  notes: Notes,
): TypedCheck | string {
  const host = text(hostname);
  if (host === undefined) return "it has no host";
  const port = number(settings.port);
  const withPort = port === undefined ? {} : { port };
  if (type === "http" || type === "httpcustom") return httpOf(host, settings, notes);
  if (type === "ping") {
    noteFields(settings, {}, notes);
    return { type: "PING", target: host, parameters: {} };
  }
  if (type === "tcp") {
    if (port === undefined) return "it has no port";
    noteFields(settings, tcpFields, notes);
    return { type: "PORT", target: host, parameters: withPort };
  }
  if (type === "dns") {
    noteFields(settings, dnsFields, notes);
    const [server, expected] = [text(settings.nameserver), text(settings.expectedip)];
    return {
      type: "DNS",
      ...(server !== undefined && { target: server }),
      parameters: {
        dnstoresolve: host,
        ...(expected !== undefined && { contentstring: expected }),
      },
    };
  }
  if (type === "smtp" || type === "pop3" || type === "imap") {
    noteFields(settings, mailFields, notes);
    const [username, password] = [text(settings.username), text(settings.password)];
    const secure = isOn(settings.encryption) ? "ssl" : false;
    return {
      type: type === "imap" ? "IMAP4" : type.toUpperCase(),
      target: host,
      parameters: {
        ...withPort,
        secure,
        ...(username !== undefined && { username, password: password ?? "" }),
      },
    };
  }
  return `checks of type ${type} do not exist here`;
}

function httpOf(host: string, settings: JsonObject, notes: Notes): TypedCheck {
  noteFields(settings, httpFields, notes);
  const isEncrypted = isOn(settings.encryption);
  const port = number(settings.port);
  const usual = isEncrypted ? 443 : 80;
  const authority = port === undefined || port === usual ? host : `${host}:${port}`;
  const url = `${isEncrypted ? "https" : "http"}://${authority}${text(settings.url) ?? "/"}`;
  const [present, missing] = [text(settings.shouldcontain), text(settings.shouldnotcontain)];
  const user = text(settings.username);
  const headers = Object.fromEntries(
    Object.entries(object(settings.requestheaders)).map(([name, value]) => [name, String(value)]),
  );
  const wanted = present ?? missing;
  const days = number(settings.ssl_down_days_before);
  const check = httpCheck(
    {
      url,
      ...(text(settings.postdata) !== undefined && { method: "POST" }),
      body: text(settings.postdata),
      headers: {
        ...(user !== undefined && {
          Authorization: basicAuth(user, text(settings.password) ?? ""),
        }),
        ...headers,
      },
      follow: true,
      verify: isOn(settings.verify_certificate),
      warningdays: days === 0 ? undefined : days,
      ...(wanted !== undefined && {
        content: { text: wanted, isAbsent: present === undefined },
      }),
    },
    notes,
  );
  return { type: check.type, target: url, parameters: check.parameters };
}
