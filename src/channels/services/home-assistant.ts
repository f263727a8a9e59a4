import type { AlertContext } from "../channel.ts";
import { replaceBrackets } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { outageKeyOf } from "../format/outage-key.ts";
import { acknowledgeLinksOf } from "./links.ts";
import { bearerOf } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** Of 4096 that a push to a phone may have, https://firebase.google.com/docs/cloud-messaging/concept-options. */
const MOST_BYTES = 2000;
const path = /\/api\/services\/notify\/(?<action>\w+)$/;

/** A notify action, https://developers.home-assistant.io/docs/api/rest/; the apps show HTML. The URL of a webhook trigger is called with our own payload. */
export const homeAssistant: Service = {
  name: "Home Assistant",
  group: "push",
  guide: "https://www.home-assistant.io/docs/authentication/#your-account-profile",
  addresses: ["{server}/api/services/notify/{action}?token={token}&entity_id={entity_id}"],
  fields: [
    {
      name: "server",
      title: "Server",
      help: "Where Home Assistant is",
      example: "http://homeassistant.local:8123",
      kind: "url",
    },
    {
      name: "action",
      title: "Notify action",
      help: "What follows notify. in the name of the action",
      example: "mobile_app_phone",
      pattern: /^\w+$/,
    },
    {
      name: "token",
      title: "Long-lived access token",
      help: "Profile, Security, Long-lived access tokens",
      example: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
      secret: true,
    },
    {
      name: "entity_id",
      title: "Entity",
      help: "Only for the action send_message",
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
      messageText(context, { most: MOST_BYTES, sizeOf, mark, withSubject: false, links });
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
