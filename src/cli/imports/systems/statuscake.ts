import type { JsonObject } from "../../api-client.ts";
import { messageOf } from "../../../kit/errors.ts";
import { parseJson } from "../../../kit/safe-json.ts";
import { leftOut, mapped, noSetting, noteFields, off, partOf, type Fields } from "../fields.ts";
import { httpCheck } from "../http-check.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportedContact,
  type ImportSystem,
  type Notes,
  type RemoteApi,
  type TypedCheck,
} from "../imported.ts";
import {
  isOn,
  number,
  object,
  objects,
  readImportFiles,
  text,
  texts,
  type ImportFile,
} from "../source.ts";
import { intervalOf, recheckOf, timeoutOf } from "../units.ts";

/** The codes that alarm unless others are chosen; 200 to 399 is what passes here. */
const isError = (code: string): boolean => /^[45]\d\d$/.test(code);

const TESTS_A_PAGE = 100;

export const testFields: Fields = {
  ...mapped(
    `check_rate confirmation contact_groups custom_header dns_ips dns_server do_not_find find_string
    follow_redirects id name paused port post_body post_raw status_codes tags test_type timeout
    trigger_rate user_agent website_url`,
  ),
  ...noSetting("last_tested_at next_location processing status uptime"),
  ...leftOut(
    "enable_ssl_alert",
    "a notice there, while warningdays makes a check fail here: set it if you want that",
  ),
  ...leftOut("final_endpoint", "where redirects end is not compared"),
  ...leftOut("host", "who hosts the page is not kept"),
  ...leftOut("include_header", "only the content is searched"),
  ...leftOut("regions servers", "choose regions of this installation: runlocations"),
  ...leftOut("use_jar", "cookies are kept within a run"),
  ...off(
    "basic_username",
    "its password is not shown: set sendheaders.Authorization, and enable it",
  ),
  ...partOf("basic_username", "basic_password"),
};

export const heartbeatFields: Fields = {
  ...mapped("contact_groups id name paused period tags trigger_rate"),
  ...noSetting("last_tested_at status uptime website_url"),
  ...leftOut("host", "who hosts the job is not kept"),
};

export const groupFields: Fields = {
  ...mapped("email_addresses id mobile_numbers name ping_url"),
  ...leftOut("integrations", "what they are is not shown: add addresses"),
};

export const statusCake: ImportSystem = {
  name: "statuscake",
  description:
    "StatusCake: what its API 1 answers to GET /v1/uptime/<id>, /v1/heartbeat/<id> and /v1/contact-groups, as files in a folder; lists of them too.",
  read: async (path) => importedOf(await readImportFiles(path)),
  remote: {
    usualUrl: "https://api.statuscake.com/v1",
    headersOf: (token) => ({ authorization: `Bearer ${token}` }),
    read: async (api) => importedOf(await filesOf(api)),
  },
};

async function filesOf(api: RemoteApi): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [
    { name: "contact-groups.json", value: await api.get("contact-groups") },
  ];
  for (const kind of ["uptime", "heartbeat"])
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, metadata } = object(await api.get(kind, { page, limit: TESTS_A_PAGE }));
      pages = number(object(metadata).page_count) ?? 1;
      for (const id of objects(data).flatMap((test) => text(test.id) ?? []))
        files.push({ name: `${kind}-${id}.json`, value: await api.get(`${kind}/${id}`) });
    }
  return files;
}

function importedOf(files: readonly ImportFile[]): Imported {
  const records = files.flatMap(({ value }) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => {
      const { data } = object(each);
      return Array.isArray(data) ? objects(data) : [object(data ?? each)];
    }),
  );
  const contacts = records.filter(isContactGroup).map(contactOf);
  const known = new Set(contacts.map(({ from }) => from));
  const absent: Imported["absent"][number][] = [];
  const checks = records
    .filter((record) => !isContactGroup(record))
    .flatMap((record) => {
      const made = checkOf(record, known);
      if (typeof made !== "string") return [made];
      const [from, name] = [text(record.id) ?? "", text(record.name) ?? ""];
      absent.push({ kind: "check", from, name, reason: made });
      return [];
    });
  return { contacts, checks, maintenance: [], absent };
}

function isContactGroup(record: JsonObject): boolean {
  return record.email_addresses !== undefined || record.mobile_numbers !== undefined;
}

function contactOf(group: JsonObject): ImportedContact {
  const notes = createNotes();
  const ping = text(group.ping_url);
  noteFields(group, groupFields, notes);
  return {
    from: text(group.id) ?? "",
    name: text(group.name) ?? "Contact group",
    addresses: [
      ...texts(group.email_addresses).map((address) => ({ type: "email", address })),
      ...texts(group.mobile_numbers).map((address) => ({ type: "sms", address })),
      ...(ping === undefined ? [] : [{ type: "webhook", address: ping }]),
    ],
    notes: notes.list,
  };
}

function checkOf(record: JsonObject, contacts: ReadonlySet<string>): ImportedCheck | string {
  const notes = createNotes();
  const typed = typedCheck(record, notes);
  if (typeof typed === "string") return typed;
  const delay = number(record.trigger_rate) ?? 0;
  const rate = number(record.check_rate);
  if (rate === 0) notes.changed("check_rate", "constant becomes every 15 s");
  const groups = texts(record.contact_groups);
  const missing = groups.filter((each) => !contacts.has(each));
  if (missing.length > 0)
    notes.leftOut("contact_groups", `${missing.join(", ")}: not in the files, add recipients`);
  noteFields(record, typed.type === "PUSH" ? heartbeatFields : testFields, notes);
  return {
    from: text(record.id) ?? "",
    name: text(record.name) ?? "",
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      ...(rate === 0 ? { interval: 0.25 } : intervalOf(rate ?? number(record.period), notes)),
      ...(typed.type !== "PUSH" && {
        ...timeoutOf(number(record.timeout), notes),
        ...recheckOf(number(record.confirmation), notes),
      }),
      ...typed.parameters,
      ...(texts(record.tags).length > 0 && { tags: texts(record.tags) }),
      enabled: !isOn(record.paused) && !notes.isOff(),
    },
    recipients: groups
      .filter((each) => contacts.has(each))
      .map((contact) => ({ contact, ...(delay > 0 && { delay }) })),
    aliases: [],
    notes: notes.list,
  };
}

function typedCheck(record: JsonObject, notes: Notes): TypedCheck | string {
  const target = text(record.website_url);
  const type = text(record.test_type);
  const port = number(record.port);
  if (type === undefined && record.period !== undefined) {
    notes.leftOut("address", "push.statuscake.com/?PK=… does not work here: edit the cron lines");
    return { type: "PUSH", parameters: { oldresultfail: true, sens: 1 } };
  }
  if (target === undefined) return "it has no address";
  if (type === "HTTP" || type === "HEAD") return httpOf(record, notes);
  if (type === "PING") return { type: "PING", target, parameters: {} };
  if (type === "TCP" && port !== undefined)
    return { type: "PORT", target: hostOf(target), parameters: { port } };
  if (type === "SSH") return { type: "SSH", target: hostOf(target), parameters: portOf(port) };
  if (type === "SMTP") return { type: "SMTP", target: hostOf(target), parameters: portOf(port) };
  if (type === "DNS") {
    const addresses = texts(record.dns_ips);
    if (addresses.length > 1) notes.changed("dns_ips", `only ${addresses[0]} is looked for`);
    const server = text(record.dns_server);
    return {
      type: "DNS",
      ...(server !== undefined && { target: server }),
      parameters: {
        dnstoresolve: hostOf(target),
        ...(addresses[0] !== undefined && { contentstring: addresses[0] }),
      },
    };
  }
  return `tests of type ${type ?? "none"} do not exist here`;
}

function httpOf(record: JsonObject, notes: Notes): TypedCheck {
  const wanted = text(record.find_string);
  const url = text(record.website_url) ?? "";
  const denied = texts(record.status_codes);
  const others = denied.filter((code) => !isError(code));
  if (others.length > 0)
    notes.leftOut("status_codes", `${others.join(", ")} alarm there, and pass here`);
  if (denied.length > 0)
    notes.changed("status_codes", "a list of codes that alarm becomes: 200 to 399 passes");
  const pairs = object(record.post_body);
  const isForm = text(record.post_raw) === undefined && Object.keys(pairs).length > 0;
  const body = isForm
    ? new URLSearchParams(
        Object.entries(pairs).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString()
    : (text(record.post_raw) ?? text(record.post_body));
  const agent = text(record.user_agent);
  const sent = text(record.custom_header);
  const custom = sent === undefined ? object(record.custom_header) : headersIn(sent, notes);
  const check = httpCheck(
    {
      url,
      method: text(record.test_type) === "HEAD" ? "HEAD" : body === undefined ? "GET" : "POST",
      headers: {
        ...(agent !== undefined && { "User-Agent": agent }),
        ...(isForm && { "Content-Type": "application/x-www-form-urlencoded" }),
        ...Object.fromEntries(Object.entries(custom).map(([name, value]) => [name, String(value)])),
      },
      body,
      follow: isOn(record.follow_redirects),
      // The alert of its certificate is a notice, and an untrusted one is no failure there.
      verify: false,
      ...(wanted !== undefined && {
        content: { text: wanted, isAbsent: isOn(record.do_not_find) },
      }),
    },
    notes,
  );
  return { type: check.type, target: url, parameters: check.parameters };
}

/** Headers of their own are JSON in a text. */
function headersIn(sent: string, notes: Notes): JsonObject {
  try {
    return object(parseJson("custom_header", sent));
  } catch (error) {
    notes.leftOut("custom_header", messageOf(error));
    return {};
  }
}

function portOf(port: number | undefined): JsonObject {
  return port === undefined ? {} : { port };
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname || address;
}
