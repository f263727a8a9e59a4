import type { AlertContext } from "../channel.ts";
import { replaceBrackets } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { outageKeyOf } from "../format/outage-key.ts";
import { acknowledgeLinksOf } from "./links.ts";
import { bearerOf } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

/** Of the 4096 bytes allowed in a push to a phone, https://firebase.google.com/docs/cloud-messaging/concept-options. */
const MAX_BYTES = 2000;
const path = /\/api\/services\/notify\/(?<action>\w+)$/;

/** A notify action, https://developers.home-assistant.io/docs/api/rest/; the apps show HTML. The URL of a webhook trigger is called with our own payload. */
export const homeAssistant: Service = {
  name: "Home Assistant",
  group: "push",
  guide: "https://www.home-assistant.io/docs/authentication/#your-account-profile",
  recipe: {
    steps:
      "Create a long-lived access token (profile, Security), and enter the URL of a notify action, such as `notify.mobile_app_phone`, with the token. An outage is one notification, which its end replaces. An entity is notified by the action `send_message` with its `entity_id`.",
    addresses: [
      "http://homeassistant.local:8123/api/services/notify/mobile_app_phone?token=eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
      "http://homeassistant.local:8123/api/services/notify/send_message?entity_id=notify.phone&token=eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
    ],
    more: "For an automation of your own use a webhook trigger: its URL, `/api/webhook/<id>`, is called with [our own payload](webhooks.md#the-request), where `trigger.json.type` is `check.down` or `check.up` and `trigger.json.check.label` says which. Home Assistant answers such a call with 200 even where there is no such trigger, and takes it from its own network alone unless `local_only` is off.",
  },
  addresses: ["{server}/api/services/notify/{action}?token={token}&entity_id={entity_id}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: { en: "Where Home Assistant is", de: "Wo Home Assistant zu erreichen ist" },
      example: "http://homeassistant.local:8123",
      kind: "url",
    },
    {
      name: "action",
      title: { en: "Notify action", de: "Benachrichtigungsaktion" },
      help: {
        en: "What follows notify. in the name of the action",
        de: "Was im Namen der Aktion auf notify. folgt",
      },
      example: "mobile_app_phone",
      pattern: /^\w+$/,
    },
    {
      name: "token",
      title: { en: "Long-lived access token", de: "Langlebiges Zugangstoken" },
      help: {
        en: "Profile, Security, Long-lived access tokens",
        de: "Profil, Sicherheit, Langlebige Zugangstoken",
      },
      example: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
      secret: true,
    },
    {
      name: "entity_id",
      title: { en: "Entity", de: "Entität" },
      help: { en: "Only for the action send_message", de: "Nur für die Aktion send_message" },
      example: "notify.phone",
      optional: true,
      pattern: /^\w+\.\w+$/,
    },
  ],
  matches: ({ pathname, searchParams }) => path.test(pathname) && searchParams.has("token"),
  requestOf(context, url) {
    const entity = url.searchParams.get("entity_id");
    const title = replaceBrackets(subjectOf(context));
    const text = (links: "all" | "none"): string =>
      messageText(context, { most: MAX_BYTES, sizeOf, mark, withSubject: false, links });
    return {
      url: new URL(url.pathname, url),
      headers: bearerOf(url, "token"),
      body:
        // `notify.send_message` is sent to an entity, and knows no data.
        entity === null
          ? { title, message: text("none"), data: dataOf(context) }
          : { title, message: text("all"), entity_id: entity },
    };
  },
};

function dataOf(context: AlertContext): Readonly<Record<string, unknown>> {
  const link = pageUrlOf(context);
  return {
    // A notification with the tag of another takes its place: an outage is one notification.
    tag: outageKeyOf(context.alert.notice) ?? context.alert.id,
    group: "watchpost",
    url: link,
    clickAction: link,
    actions: acknowledgeLinksOf(context).map(({ title, url }) => ({
      action: "URI",
      title,
      uri: url,
    })),
  };
}

function mark(value: string, name?: string): string {
  return replaceBrackets(name === undefined ? value : `${name}: ${value}`);
}

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line));
}
