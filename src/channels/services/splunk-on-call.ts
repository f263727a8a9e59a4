import { incidentOf } from "../format/incident.ts";
import { outageStart } from "../format/outage-key.ts";
import { replaceBrackets } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { responseJson } from "../webhook/response-json.ts";
import { bytesOf, messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const path = /^\/integrations\/generic\/\d+\/alert\/[^/]+(\/[^/]*)?$/;
/** No limit is documented. */
const MAX_BYTES = 15_000;

/** The REST endpoint, https://help.splunk.com/en/splunk-observability-cloud/splunk-on-call/integrations-with-splunk-on-call/rest-endpoint-integration-for-splunk-on-call. */
export const splunkOnCall: Service = {
  name: "Splunk On-Call",
  group: "oncall",
  guide: "https://help.splunk.com/en/splunk-observability-cloud/splunk-on-call",
  recipe: {
    steps:
      "Integrations, 3rd Party Integrations, REST - Generic. Enter the URL that it shows, with your routing key at its end. An outage is one incident, which its end resolves.",
    addresses: [
      "https://alert.victorops.com/integrations/generic/20131114/alert/0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d/database",
    ],
  },
  addresses: [
    "https://alert.victorops.com/integrations/generic/20131114/alert/{api_key}/{routing_key}",
  ],
  fields: [
    {
      name: "api_key",
      title: { en: "API key", de: "API-Schlüssel" },
      help: {
        en: "The last part but one of the URL under Integrations, REST - Generic",
        de: "Der vorletzte Teil der URL unter Integrations, REST - Generic",
      },
      example: "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d",
      secret: true,
    },
    {
      name: "routing_key",
      title: { en: "Routing key", de: "Routing-Schlüssel" },
      help: term("Settings, Routing Keys"),
      example: "database",
    },
  ],
  resolvesIncidents: true,
  acknowledgesIncidents: true,
  matches: ({ hostname, pathname }) => hostname === "alert.victorops.com" && path.test(pathname),
  requestOf(context, url) {
    const { key, step } = incidentOf(context);
    return {
      url,
      body: {
        // An informational message is in the timeline, and opens no incident.
        message_type: context.kind === "missed" ? "INFO" : messageTypes[step],
        entity_id: key,
        entity_display_name: replaceBrackets(subjectOf(context)),
        state_message: messageText(context, {
          most: MAX_BYTES,
          sizeOf: bytesOf,
          mark,
          withSubject: false,
        }),
        state_start_time: Math.floor(
          (context.kind === "missed"
            ? outageStart(context.alert.notice)
            : context.alert.notice.since) / 1000,
        ),
        monitoring_tool: "Watchpost",
        "vo_annotate.u.Watchpost": pageUrlOf(context),
      },
    };
  },
  failureDetailsOf({ status, text }) {
    return status === 200 && responseJson(text).result === "failure"
      ? { retryable: false, address: "refused" }
      : undefined;
  },
};

const messageTypes = {
  begin: "CRITICAL",
  acknowledge: "ACKNOWLEDGEMENT",
  end: "RECOVERY",
} as const;

function mark(value: string, name?: string): string {
  return replaceBrackets(name === undefined ? value : `${name}: ${value}`);
}
