import { replaceBrackets, replaceMentions } from "../format/markup.ts";
import { subjectOf } from "../format/alert-text.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const path = /(?<!\/services)\/notify\/[\w-]{1,128}\/?$/;
/** The port of its container. */
const PORT = "8000";
/** Limit of Discord; Apprise splits a text if its receiver accepts less. */
const MAX_BODY_LENGTH = 4000;
/** No configuration is stored under the key; the status is that of a success. */
const NO_CONFIGURATION = 204;
/** One of the receivers refused; another attempt would repeat the message at all others. */
const NOT_ALL = 424;

/** A configuration of the Apprise API, at a host whose name begins with apprise or at its usual port, https://github.com/caronc/apprise-api#api-details. */
export const apprise: Service = {
  name: "Apprise",
  group: "program",
  guide: "https://github.com/caronc/apprise-api#api-details",
  recipe: {
    steps:
      "Store a configuration in the [Apprise API](https://github.com/caronc/apprise-api) under a key, and enter its `/notify/` URL, at a host whose name begins with `apprise` or at port 8000; `tag` chooses among its receivers. Apprise leads to more than a hundred services. Where it could not reach one of several, the alert counts as failed and is not repeated, for the others have it.",
    addresses: [
      "http://apprise.example.com/notify/ops-team",
      "http://192.168.1.20:8000/notify/ops-team?tag=phones",
    ],
  },
  addresses: ["{server}/notify/{key}?tag={tag}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: {
        en: "The Apprise API, at port 8000 or a host whose name begins with apprise",
        de: "Die Apprise-API, an Port 8000 oder einem Host, dessen Name mit apprise beginnt",
      },
      example: "http://apprise.example.com",
      kind: "url",
    },
    {
      name: "key",
      title: { en: "Configuration key", de: "Schlüssel der Konfiguration" },
      help: {
        en: "The key under which the configuration is stored",
        de: "Der Schlüssel, unter dem die Konfiguration gespeichert ist",
      },
      example: "ops-team",
      secret: true,
      pattern: /^[\w-]{1,128}$/,
    },
    {
      name: "tag",
      title: term("Tag"),
      help: {
        en: "Alerts only receivers with this tag",
        de: "Meldet nur an Empfänger mit diesem Tag",
      },
      example: "phones",
      optional: true,
    },
  ],
  matches: ({ hostname, port, pathname }) =>
    (hostname.startsWith("apprise") || port === PORT) && path.test(pathname),
  requestOf(context, url) {
    const tag = url.searchParams.get("tag");
    return {
      url: new URL(url.pathname, url),
      body: {
        title: plain(subjectOf(context)),
        body: messageText(context, { most: MAX_BODY_LENGTH, mark: plain, withSubject: false }),
        type: typeOf(context),
        format: "text",
        ...(tag !== null && { tag }),
      },
    };
  },
  failureDetailsOf: ({ status }) =>
    status === NO_CONFIGURATION || status === NOT_ALL
      ? { retryable: false, address: "refused" }
      : undefined,
};

function typeOf({ kind, alert: { notice } }: Parameters<Service["requestOf"]>[0]): string {
  if (kind === "test") return "info";
  return notice.state === "failing" ? "failure" : "success";
}

/** Nobody knows here what the receivers make of a text. */
function plain(value: string, name?: string): string {
  const text = name === undefined ? value : `${name}: ${value}`;
  return replaceMentions(replaceBrackets(text));
}
