import { truncate } from "../format/alert-lines.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { outageKeyOf } from "../format/outage-key.ts";
import { responseJson } from "../webhook/response-json.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const MAX_TITLE_LENGTH = 250;
/** Apple takes 4096 bytes of JSON, title and parameters included. */
const MAX_BYTES = 2000;
const KEY = "device_key";
const ownPath = /^\/(?<key>[A-Za-z0-9]{10,})\/?$/;
/** Why Apple never delivers to a phone again. */
const goneDevice = /BadDeviceToken|Unregistered|DeviceTokenNotForTopic|ExpiredToken/;

/** A phone, at the public server or at one's own, https://github.com/Finb/bark-server/blob/master/docs/API_V2.md. Further parameters of the URL are those of the push. */
export const bark: Service = {
  name: "Bark",
  group: "push",
  guide: "https://bark.day.app/#/en-us/tutorial",
  recipe: {
    steps:
      "Install the app on an iPhone, and enter the URL that it shows, or that of your own server with `push` and the key. Further parameters of the [app](https://bark.day.app/#/en-us/tutorial) may follow, such as `sound`, `icon` or `level`, which is `timeSensitive` for a failure unless given. An outage is one notification, which its end replaces.",
    addresses: [
      "https://api.day.app/ynJ5Ft4atkMkWeo2PAvFhF",
      "https://bark.example.com/push?device_key=ynJ5Ft4atkMkWeo2PAvFhF&level=critical",
    ],
  },
  addresses: [
    "{server}/push?device_key={device_key}&level={level}&sound={sound}",
    "https://api.day.app/{device_key}?level={level}&sound={sound}",
  ],
  fields: [
    {
      name: "device_key",
      title: { en: "Device key", de: "Geräteschlüssel" },
      help: {
        en: "The app shows it as part of its URL",
        de: "Die App zeigt ihn als Teil ihrer URL",
      },
      example: "ynJ5Ft4atkMkWeo2PAvFhF",
      secret: true,
      pattern: /^[A-Za-z\d]{10,}$/,
    },
    {
      name: "server",
      title: term("Server"),
      help: {
        en: "Only if you run your own Bark server",
        de: "Nur wenn Sie einen eigenen Bark-Server betreiben",
      },
      example: "https://bark.example.com",
      kind: "url",
    },
    {
      name: "level",
      title: { en: "Level of failures", de: "Stufe von Ausfällen" },
      help: {
        en: "How loudly the phone announces a failure",
        de: "Wie laut das Telefon einen Ausfall meldet",
      },
      example: "timeSensitive",
      optional: true,
      kind: "choice",
      choices: {
        timeSensitive: { title: { en: "Time sensitive", de: "Zeitkritisch" } },
        critical: {
          title: {
            en: "Critical, even when the phone is silent",
            de: "Kritisch, auch wenn das Telefon stumm ist",
          },
        },
        active: { title: term("Normal") },
        passive: { title: { en: "Silent", de: "Lautlos" } },
      },
    },
    {
      name: "sound",
      title: { en: "Sound", de: "Ton" },
      help: { en: "The name of a sound of the app", de: "Der Name eines Tons der App" },
      example: "minuet",
      optional: true,
    },
  ],
  matches: (url) =>
    (url.pathname.endsWith("/push") && url.searchParams.has(KEY)) ||
    (url.hostname === "api.day.app" && ownPath.test(url.pathname)),
  requestOf(context, url) {
    const { [KEY]: key, level = "timeSensitive", ...rest } = Object.fromEntries(url.searchParams);
    const { notice } = context.alert;
    return {
      url: new URL(key === undefined ? "/push" : url.pathname, url),
      body: {
        group: "Watchpost",
        ...rest,
        title: truncate(subjectOf(context), MAX_TITLE_LENGTH),
        body: messageText(context, {
          most: MAX_BYTES,
          sizeOf,
          withSubject: false,
          links: "facts",
        }),
        level: notice.state === "failing" ? level : "active",
        // A message with the id of another takes its place: an outage is one message.
        id: outageKeyOf(notice) ?? context.alert.id,
        url: pageUrlOf(context),
      },
    };
  },
  credentialsOf: ({ pathname, searchParams }) => ({
    [KEY]: searchParams.get(KEY) ?? ownPath.exec(pathname)?.groups?.key ?? "",
  }),
  failureDetailsOf({ status, text }) {
    const { message } = responseJson(text);
    return status === 500 && typeof message === "string" && goneDevice.test(message)
      ? { retryable: false, address: "gone" }
      : undefined;
  },
};

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line));
}
