import { replaceBrackets } from "../../format/markup.ts";
import { pageUrlOf, subjectOf } from "../../format/alert-text.ts";
import { outageKeyOf } from "../../format/outage-key.ts";
import { bearerOf } from "../credentials.ts";
import { messageText } from "../message-text.ts";
import type { Service } from "../service.ts";

/** Of 4096 that a push to a phone may have, https://firebase.google.com/docs/cloud-messaging/concept-options. */
const MOST_BYTES = 2000;
const path = /\/api\/services\/notify\/(?<action>\w+)$/;

/** A notify action, https://developers.home-assistant.io/docs/api/rest/; the apps show HTML. The URL of a webhook trigger is called with our own payload. */
export const homeAssistant: Service = {
  name: "Home Assistant",
  matches: ({ pathname, searchParams }) => path.test(pathname) && searchParams.has("token"),
  requestOf(context, url) {
    const link = pageUrlOf(context);
    const entity = url.searchParams.get("entity_id");
    const text = {
      title: replaceBrackets(subjectOf(context)),
      message: messageText(context, {
        most: MOST_BYTES,
        sizeOf,
        mark,
        withSubject: false,
        withLink: false,
      }),
    };
    const tag = outageKeyOf(context.alert.notice) ?? context.alert.id;
    return {
      url: new URL(url.pathname, url),
      headers: bearerOf(url, "token"),
      body:
        // `notify.send_message` is sent to an entity, and knows no data.
        entity === null
          ? // A notification with the tag of another takes its place: an outage is one notification.
            { ...text, data: { tag, group: "watchpost", url: link, clickAction: link } }
          : { ...text, entity_id: entity },
    };
  },
};

function mark(value: string, name?: string): string {
  return replaceBrackets(name === undefined ? value : `${name}: ${value}`);
}

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line));
}
