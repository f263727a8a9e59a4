import { incidentOf } from "../format/incident.ts";
import { replaceBrackets } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { bearerOf, withoutParameters } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const path = /^\/webhooks\/incoming\/generic_webhooks(\/notify\/[^/]+\/[^/]+)?$/;
/** No limit is documented. */
const MAX_DESCRIPTION_LENGTH = 15_000;

/** A generic webhook alert source, https://docs.rootly.com/integrations/generic-webhook-alert-source/installation. Which members mean what is set there. */
export const rootly: Service = {
  name: "Rootly",
  group: "oncall",
  guide: "https://docs.rootly.com/integrations/generic-webhook-alert-source/installation",
  recipe: {
    steps:
      "Alerts, Sources, Generic Webhook with the authentication Bearer Token. Map there: title `$.title`, description `$.description`, external identifier `$.external_id`, external URL `$.external_url`, state `$.state`, and resolve on `resolved`. Enter the URL with its secret; with `/notify/<type>/<id>` it names whom to notify.",
    addresses: [
      "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks?secret=f00dcafe0a1b2c3d",
      "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks/notify/Service/0a1b2c3d?secret=f00dcafe0a1b2c3d",
    ],
  },
  addresses: ["{url}?secret={secret}"],
  fields: [
    {
      name: "url",
      title: { en: "URL of the alert source", de: "URL der Alarmquelle" },
      help: term("Alerts, Sources, Generic Webhook"),
      example: "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks",
      kind: "url",
      suggested: "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks",
    },
    {
      name: "secret",
      title: { en: "Bearer token", de: "Bearer-Token" },
      help: { en: "Shown beside the URL", de: "Wird neben der URL gezeigt" },
      example: "f00dcafe0a1b2c3d",
      secret: true,
    },
  ],
  resolvesIncidents: true,
  matches: ({ hostname, pathname }) => hostname === "webhooks.rootly.com" && path.test(pathname),
  requestOf(context, url) {
    const { key, isOver } = incidentOf(context);
    return {
      url: withoutParameters(url, ["secret"]),
      headers: bearerOf(url, "secret"),
      body: {
        title: replaceBrackets(subjectOf(context)),
        description: messageText(context, {
          most: MAX_DESCRIPTION_LENGTH,
          mark,
          withSubject: false,
          links: "facts",
        }),
        external_id: key,
        state: isOver ? "resolved" : "triggered",
        external_url: pageUrlOf(context),
      },
    };
  },
};

function mark(value: string, name?: string): string {
  return replaceBrackets(name === undefined ? value : `${name}: ${value}`);
}
