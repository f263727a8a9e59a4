import { incidentOf } from "../format/incident.ts";
import { replaceBrackets } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { bearerOf, withoutParameters } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

const path = /^\/webhooks\/incoming\/generic_webhooks(\/notify\/[^/]+\/[^/]+)?$/;
/** No limit is documented. */
const LONGEST_DESCRIPTION = 15_000;

/** A generic webhook alert source, https://docs.rootly.com/integrations/generic-webhook-alert-source/installation. Which members mean what is set there. */
export const rootly: Service = {
  name: "Rootly",
  group: "oncall",
  guide: "https://docs.rootly.com/integrations/generic-webhook-alert-source/installation",
  addresses: ["{url}?secret={secret}"],
  fields: [
    {
      name: "url",
      title: "URL of the alert source",
      help: "Alerts, Sources, Generic Webhook",
      example: "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks",
      kind: "url",
      suggested: "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks",
    },
    {
      name: "secret",
      title: "Bearer token",
      help: "Shown beside the URL",
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
          most: LONGEST_DESCRIPTION,
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
