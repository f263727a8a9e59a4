import { incidentOf } from "../format/incident.ts";
import type { Mark } from "../format/alert-lines.ts";
import { markdownLine } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { bearerOf, withoutParameters } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

/** No limit is documented. */
const MAX_DESCRIPTION_LENGTH = 15_000;

/** An HTTP alert source, https://docs.incident.io/api-reference/alert-events-v2/createhttp. */
export const incidentIo: Service = {
  name: "incident.io",
  group: "oncall",
  guide: "https://docs.incident.io/alerts/custom-http-alert-source",
  recipe: {
    steps:
      "Settings, Alerts, Create alert source, HTTP. Enter the URL that it shows, with the token that it shows. An outage is one alert, which its end resolves.",
    addresses: [
      "https://api.incident.io/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66?token=s0me-random-string",
    ],
  },
  addresses: ["{url}?token={token}"],
  fields: [
    {
      name: "url",
      title: { en: "URL of the alert source", de: "URL der Alarmquelle" },
      help: term("Alerts, Sources, Create alert source, HTTP"),
      example: "https://api.incident.io/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66",
      kind: "url",
    },
    {
      name: "token",
      title: term("Token"),
      help: { en: "Shown beside the URL", de: "Wird neben der URL gezeigt" },
      example: "s0me-random-string",
      secret: true,
    },
  ],
  resolvesIncidents: true,
  matches: ({ hostname, pathname }) =>
    hostname === "api.incident.io" && /^\/v2\/alert_events\/http\/[^/]+$/.test(pathname),
  requestOf(context, url) {
    const { key, isOver } = incidentOf(context);
    const { check, account } = context.alert.notice;
    return {
      url: withoutParameters(url, ["token"]),
      headers: bearerOf(url, "token"),
      body: {
        title: subjectOf(context),
        description: messageText(context, {
          most: MAX_DESCRIPTION_LENGTH,
          mark,
          withSubject: false,
          links: "facts",
        }),
        deduplication_key: key,
        status: isOver ? "resolved" : "firing",
        source_url: pageUrlOf(context),
        metadata: { check: check.id, label: check.label, type: check.type, account: account.id },
      },
    };
  },
};

/** Each line is a paragraph. */
function mark(...line: Parameters<Mark>): string {
  return `${markdownLine(...line)}\n`;
}
