import type { JsonObject } from "../../api-client.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { HttpCheckInput } from "../http-check.ts";
import { isOn, number, object, objects, text, texts } from "../source.ts";

/** A monitor of either version of the API. */
export interface RobotMonitor {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string | undefined;
  readonly port: number | undefined;
  /** In seconds, as the others. */
  readonly interval: number | undefined;
  readonly grace: number | undefined;
  readonly timeout: number | undefined;
  readonly retries: number | undefined;
  readonly isEnabled: boolean;
  readonly keyword: HttpCheckInput["content"];
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly follows: boolean;
  readonly verifies: boolean;
  readonly statuses: readonly string[];
  readonly tags: readonly string[];
  readonly contacts: readonly {
    readonly id: string;
    readonly delay: number;
    readonly repeats: boolean;
  }[];
  /** Undefined of those that need no signing in, or sign in by Basic. */
  readonly otherAuthentication: string | undefined;
  /** Codes that alarm there and pass here. */
  readonly passing: readonly string[];
}

const types: Readonly<Record<string, string>> = {
  1: "http",
  2: "keyword",
  3: "ping",
  4: "port",
  5: "heartbeat",
};
/** Ports of services that version 2 has by a number. */
const subTypePorts: Readonly<Record<string, number>> = {
  1: 80,
  2: 443,
  3: 21,
  4: 25,
  5: 110,
  6: 143,
};
const methods: Readonly<Record<string, string>> = {
  1: "HEAD",
  2: "GET",
  3: "POST",
  4: "PUT",
  5: "PATCH",
  6: "DELETE",
  7: "OPTIONS",
};
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

export function plainRobotMonitor(record: JsonObject): RobotMonitor {
  return record.friendlyName === undefined ? ofVersion2(record) : ofVersion3(record);
}

function ofVersion2(record: JsonObject): RobotMonitor {
  const subType = text(record.sub_type) ?? "";
  const value = text(record.keyword_value);
  const statuses = customStatuses(text(record.custom_http_statuses));
  return {
    id: text(record.id) ?? "",
    name: unescaped(text(record.friendly_name) ?? ""),
    type: types[text(record.type) ?? ""] ?? `number ${text(record.type)}`,
    url: text(record.url),
    port: number(record.port) ?? subTypePorts[subType],
    interval: number(record.interval),
    grace: undefined,
    timeout: number(record.timeout),
    retries: undefined,
    isEnabled: number(record.status) !== 0,
    // Exists, which is 1, is what alarms.
    keyword:
      value === undefined
        ? undefined
        : {
            text: unescaped(value),
            isAbsent: text(record.keyword_type) === "1",
            ignoresCase: text(record.keyword_case_type) === "1",
          },
    method: methods[text(record.http_method) ?? ""],
    ...bodyOf(record.post_value, {
      isForm: text(record.post_type) === "1",
      isJson: text(record.post_content_type) === "1",
      headers: headersOf(record.custom_http_headers),
    }),
    user: text(record.http_username),
    password: text(record.http_password),
    follows: true,
    verifies: false,
    statuses: statuses.passing,
    passing: statuses.failing,
    otherAuthentication: undefined,
    tags: [],
    contacts: objects(record.alert_contacts).map((contact) => ({
      id: text(contact.id) ?? "",
      delay: number(contact.threshold) ?? 0,
      repeats: (number(contact.recurrence) ?? 0) > 0,
    })),
  };
}

function ofVersion3(record: JsonObject): RobotMonitor {
  const value = text(record.keywordValue);
  const authType = text(record.authType) ?? "NONE";
  const tags = Array.isArray(record.tags)
    ? record.tags.flatMap((tag: unknown) => text(tag) ?? text(object(tag).name) ?? [])
    : [];
  return {
    id: text(record.id) ?? "",
    name: unescaped(text(record.friendlyName) ?? ""),
    type: (text(record.type) ?? "").toLowerCase(),
    url: text(record.url),
    port: number(record.port),
    interval: number(record.interval),
    grace: number(record.gracePeriod),
    timeout: number(record.timeout),
    retries: number(object(record.config).applicationErrorRetries),
    isEnabled: text(record.status) !== "PAUSED",
    keyword:
      value === undefined
        ? undefined
        : {
            text: value,
            isAbsent: text(record.keywordType) === "ALERT_EXISTS",
            ignoresCase: number(record.keywordCaseType) === 1,
          },
    method: text(record.httpMethodType),
    ...bodyOf(record.postValueData, {
      isForm: text(record.postValueType) === "KEY_VALUE",
      isJson: text(record.postValueType) === "RAW_JSON",
      headers: headersOf(record.customHttpHeaders),
    }),
    user: text(record.httpUsername),
    password: text(record.httpPassword),
    follows: isOn(record.followRedirections),
    verifies: isOn(record.checkSSLErrors),
    statuses: texts(record.successHttpResponseCodes),
    passing: [],
    otherAuthentication: ["NONE", "HTTP_BASIC"].includes(authType) ? undefined : authType,
    tags: tags.map((tag) => tag.slice(0, 100)),
    contacts: objects(record.assignedAlertContacts).map((contact) => ({
      id: text(contact.alertContactId) ?? text(contact.id) ?? "",
      delay: number(contact.threshold) ?? 0,
      repeats: (number(contact.recurrence) ?? 0) > 0,
    })),
  };
}

interface BodyForm {
  readonly isForm: boolean;
  readonly isJson: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body is text, or pairs that are sent as a form or as JSON; a type that the headers name counts. */
function bodyOf(value: unknown, { isForm, isJson, headers }: BodyForm) {
  const pairs = isRecord(value) ? value : undefined;
  const body =
    pairs === undefined
      ? text(value)
      : isForm
        ? new URLSearchParams(headersOf(pairs)).toString()
        : JSON.stringify(pairs);
  if (body === undefined || !isJson) return { headers, body };
  return { headers: { "Content-Type": "application/json", ...headers }, body };
}

/** Such as `404:0_401:1`, where 1 is up. Other statuses than 200 to 399 that are up there cannot be up here. */
function customStatuses(sent: string | undefined) {
  const codes = (sent ?? "").split("_").map((each) => each.split(":"));
  const isUsual = (code: string): boolean => code >= "200" && code <= "399";
  const of = (state: string): readonly string[] =>
    codes.flatMap(([code = "", is]) => (is === state && /^\d{3}$/.test(code) ? [code] : []));
  const others = of("1").filter((code) => !isUsual(code));
  return {
    passing: others.length === 0 ? [] : ["200-399", ...others],
    failing: of("0").filter(isUsual),
  };
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(object(value)).map(([name, each]) => [name, String(each)]),
  );
}

/** Names are stored as HTML there. */
function unescaped(value: string): string {
  return value.replaceAll(/&(?:#(\d{1,7})|(amp|lt|gt|quot));/g, (all, code, name) => {
    const point = Number(code);
    if (name !== undefined) return entities[name] ?? all;
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : all;
  });
}
