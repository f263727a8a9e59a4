import { incidentOf } from "../format/incident.ts";
import { replaceBrackets } from "../format/markup.ts";
import { takeLines, truncate, summaryLines } from "../format/alert-lines.ts";
import { summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const MAX_MESSAGE_LENGTH = 130;
const MAX_DESCRIPTION_LENGTH = 15_000;
const MAX_ENTITY_LENGTH = 512;

const paths: Readonly<Record<string, string>> = {
  "api.opsgenie.com": "/v2/alerts",
  "api.eu.opsgenie.com": "/v2/alerts",
  "api.atlassian.com": "/jsm/ops/integration/v2/alerts",
};

/** Opsgenie, which shows HTML as such, and Jira Service Management, which came after it and took over its alerts. The key is `apiKey` in the query, or a header. */
export const opsgenie: Service = {
  name: "Opsgenie",
  group: "oncall",
  guide: "https://support.atlassian.com/opsgenie/docs/create-a-default-api-integration/",
  recipe: {
    steps:
      "Settings, Integrations, API, and its key. Of Jira Service Management, which took over from it, the address of the second line. An outage is one alert, which its end closes.",
    addresses: [
      "https://api.opsgenie.com/v2/alerts?apiKey=0a1b2c3d-4e5f",
      "https://api.atlassian.com/jsm/ops/integration/v2/alerts?apiKey=0a1b2c3d-4e5f",
    ],
  },
  addresses: ["https://{site}?apiKey={api_key}"],
  fields: [
    {
      name: "site",
      title: { en: "Product", de: "Produkt" },
      help: { en: "Where your account is", de: "Wo Ihr Konto liegt" },
      example: "us",
      kind: "choice",
      suggested: "jsm",
      choices: {
        jsm: {
          title: term("Jira Service Management"),
          part: "api.atlassian.com/jsm/ops/integration/v2/alerts",
        },
        us: { title: term("Opsgenie"), part: "api.opsgenie.com/v2/alerts" },
        eu: {
          title: { en: "Opsgenie in the EU", de: "Opsgenie in der EU" },
          part: "api.eu.opsgenie.com/v2/alerts",
        },
      },
    },
    {
      name: "api_key",
      title: { en: "API key", de: "API-Schlüssel" },
      help: { en: "Settings, Integrations, API", de: "Einstellungen, Integrationen, API" },
      example: "0a1b2c3d-4e5f",
      secret: true,
    },
  ],
  resolvesIncidents: true,
  acknowledgesIncidents: true,
  matches: ({ hostname, pathname }) => paths[hostname] === pathname,
  requestOf(context, url) {
    const summary = summaryOf(context);
    const subject = replaceBrackets(summary.subject);
    const { key, step } = incidentOf(context);
    const apiKey = url.searchParams.get("apiKey");
    const alerts = new URL(url);
    alerts.searchParams.delete("apiKey");
    const headers = apiKey === null ? {} : { authorization: `GenieKey ${apiKey}` };
    if (step !== "begin") {
      const action = step === "end" ? "close" : "acknowledge";
      alerts.pathname += `/${encodeURIComponent(key)}/${action}`;
      alerts.searchParams.set("identifierType", "alias");
      return { url: alerts, headers, body: { source: "Watchpost", note: subject } };
    }
    return {
      url: alerts,
      headers,
      body: {
        message: truncate(subject, MAX_MESSAGE_LENGTH),
        alias: key,
        description: takeLines(
          summaryLines(summary).map(replaceBrackets),
          MAX_DESCRIPTION_LENGTH,
        ).join("\n"),
        entity: truncate(replaceBrackets(context.alert.notice.check.target), MAX_ENTITY_LENGTH),
        source: "Watchpost",
        priority: context.kind === "missed" ? "P5" : "P1",
      },
    };
  },
};
