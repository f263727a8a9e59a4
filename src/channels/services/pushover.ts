import { responseJson } from "../webhook/response-json.ts";
import { takeLines, truncate, summaryLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const MAX_TITLE_LENGTH = 250;
const MAX_MESSAGE_LENGTH = 1024;
const HIGH = 1;
const EMERGENCY = 2;
/** Delay after a server error, as required by https://pushover.net/api. */
const SOONEST_AGAIN_MS = 5000;
/** Emergency settings in seconds: the repeat interval until acknowledged, and the total duration. */
const emergency = { retry: "60", expire: "3600" };

/** The API: where messages go that an application sends to a user or a group. */
export function pushoverUrl(token: string, user: string): string {
  return `https://api.pushover.net/1/messages.json?${new URLSearchParams({ token, user }).toString()}`;
}

/** The query of the URL names the application, the recipient and further parameters of the message. */
export const pushover: Service = {
  name: "Pushover",
  group: "push",
  guide: "https://pushover.net/api",
  recipe: {
    steps:
      "Create an application at pushover.net, and enter its token with your user key. Further parameters of the API may follow, such as `priority`, `sound` or `device`. An emergency (`priority` 2) sounds every minute for an hour until somebody confirms it; the end of an outage goes out with 1 at most.",
    addresses: [
      "https://api.pushover.net/1/messages.json?token=azGDORePK8gMaC0QOYAMyEEuzJnyUi&user=uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
    ],
  },
  addresses: [
    "https://api.pushover.net/1/messages.json?token={token}&user={user}&priority={priority}&device={device}&sound={sound}",
  ],
  fields: [
    {
      name: "token",
      title: { en: "Application token", de: "Token der Anwendung" },
      help: {
        en: "Of an application that you create at pushover.net",
        de: "Einer Anwendung, die Sie auf pushover.net anlegen",
      },
      example: "azGDORePK8gMaC0QOYAMyEEuzJnyUi",
      secret: true,
      pattern: /^[A-Za-z\d]{30}$/,
    },
    {
      name: "user",
      title: { en: "User or group key", de: "Schlüssel des Benutzers oder der Gruppe" },
      help: {
        en: "On the first page of your Pushover account",
        de: "Auf der ersten Seite Ihres Pushover-Kontos",
      },
      example: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
      secret: true,
      pattern: /^[A-Za-z\d]{30}$/,
    },
    {
      name: "priority",
      title: { en: "Priority", de: "Priorität" },
      help: { en: "How loudly failures are announced", de: "Wie laut Ausfälle gemeldet werden" },
      example: "1",
      optional: true,
      kind: "choice",
      choices: {
        "-2": {
          title: { en: "Lowest: no notification", de: "Niedrigste: keine Benachrichtigung" },
        },
        "-1": { title: { en: "Low: no sound", de: "Niedrig: kein Ton" } },
        "0": { title: term("Normal") },
        "1": { title: { en: "High: ignores quiet hours", de: "Hoch: auch in Ruhezeiten" } },
        "2": {
          title: {
            en: "Emergency: repeats until confirmed",
            de: "Notfall: wiederholt sich, bis er bestätigt wird",
          },
        },
      },
    },
    {
      name: "device",
      title: { en: "Device", de: "Gerät" },
      help: {
        en: "The name of one of your devices; all if empty",
        de: "Der Name eines Ihrer Geräte; leer für alle",
      },
      example: "phone",
      optional: true,
    },
    {
      name: "sound",
      title: { en: "Sound", de: "Ton" },
      help: { en: "The name of a sound of Pushover", de: "Der Name eines Tons von Pushover" },
      example: "siren",
      optional: true,
    },
  ],
  form: true,
  matches: ({ hostname, pathname }) =>
    hostname === "api.pushover.net" && pathname === "/1/messages.json",
  requestOf(context, url) {
    const summary = summaryOf(context);
    // As HTML, untrusted values would be markup.
    const { token: _, user: __, html: ___, ...rest } = Object.fromEntries(url.searchParams);
    const wanted = Number(context.to.priority ?? rest.priority ?? 0);
    // A recovery needs no acknowledgement.
    const isUp = context.alert.notice.state === "passing";
    const priority = isUp ? Math.min(wanted, HIGH) : wanted;
    return {
      url: new URL(url.pathname, url),
      body: {
        ...rest,
        title: truncate(summary.subject, MAX_TITLE_LENGTH),
        message: takeLines(summaryLines(summary), MAX_MESSAGE_LENGTH).join("\n"),
        url: pageUrlOf(context),
        url_title: "Watchpost",
        timestamp: String(Math.floor(context.alert.createdAt / 1000)),
        priority: String(priority),
        ...(priority === EMERGENCY && emergency),
      },
    };
  },
  credentialsOf: ({ searchParams }) => ({
    token: searchParams.get("token") ?? "",
    user: searchParams.get("user") ?? "",
  }),
  failureDetailsOf({ status, text }) {
    if (status >= 500) return { retryAfterMs: SOONEST_AGAIN_MS };
    const { status: taken, errors } = responseJson(text);
    if (taken !== 0 || (status !== 200 && status !== 400)) return undefined;
    const words = String(errors);
    if (words.startsWith("application token is invalid"))
      return { retryable: false, address: undefined };
    const isUnknown = words.startsWith("user identifier is invalid");
    return { retryable: false, address: isUnknown ? "gone" : "refused" };
  },
};
