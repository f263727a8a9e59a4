import { incidentOf } from "../format/incident.ts";
import { summaryLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const DAY_MS = 86_400_000;
/** Alertmanager resolves an alert without an end after five minutes, and Watchpost sends it once. */
const MAX_OUTAGE_DAYS = 30;

/** An Alertmanager, on whatever host it is. What may change while a check is down is no label, for an alert is known again by its labels. */
export const alertmanager: Service = {
  name: "Alertmanager",
  group: "program",
  guide: "https://prometheus.io/docs/alerting/latest/alertmanager/",
  recipe: {
    steps:
      "The URL of the API of your Alertmanager; any that ends in `/api/v2/alerts`. An Alertmanager forgets an alert that nobody repeats, so ours ends by itself after 30 days without an end; its labels are `alertname` (`CheckDown`), `severity` (`critical`), `check` and `account` (their ids).",
    addresses: ["http://alertmanager.example.com:9093/api/v2/alerts"],
  },
  addresses: ["{server}/api/v2/alerts"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: { en: "Where your Alertmanager listens", de: "Wo Ihr Alertmanager zu erreichen ist" },
      example: "http://alertmanager.example.com:9093",
      kind: "url",
    },
  ],
  resolvesIncidents: true,
  dropsPastOutages: true,
  matches: ({ pathname }) => pathname.endsWith("/api/v2/alerts"),
  requestOf(context, url) {
    const summary = summaryOf(context);
    const { account, check, since, downForMs } = context.alert.notice;
    const { isOver } = incidentOf(context);
    const startsAt = isOver ? since - (downForMs ?? 0) : since;
    return {
      url,
      body: [
        {
          labels: {
            alertname: "CheckDown",
            severity: "critical",
            check: check.id,
            account: account.id,
          },
          annotations: {
            summary: summary.subject,
            description: summaryLines(summary).join("\n"),
            label: check.label,
            target: check.target,
          },
          startsAt: new Date(startsAt).toISOString(),
          endsAt: new Date(isOver ? since : since + MAX_OUTAGE_DAYS * DAY_MS).toISOString(),
          generatorURL: pageUrlOf(context),
        },
      ],
    };
  },
};
