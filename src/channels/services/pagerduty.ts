import { incidentOf } from "../format/incident.ts";
import { outageStart } from "../format/outage-key.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";

const hosts = /^events\.([a-z]+\.)?pagerduty\.com$/;
const integration = /^\/integration\/(?<key>[A-Za-z0-9]{32})\/enqueue$/;

/** Events API v2: where they are sent with an integration's key. */
export function pagerdutyUrl(key: string): string {
  return `https://events.pagerduty.com/v2/enqueue?${new URLSearchParams({ routing_key: key }).toString()}`;
}

/** Events API v2. The key of the integration is in the query or in the path of the URL. */
export const pagerduty: Service = {
  name: "PagerDuty",
  group: "oncall",
  guide: "https://support.pagerduty.com/main/docs/services-and-integrations",
  recipe: {
    steps:
      "In a service: Integrations, Events API V2, and its key. An outage is one incident, which its end resolves. For Europe it is `events.eu.pagerduty.com`.",
    addresses: [
      "https://events.pagerduty.com/v2/enqueue?routing_key=a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4",
    ],
  },
  addresses: ["https://{region}/v2/enqueue?routing_key={routing_key}"],
  fields: [
    {
      name: "routing_key",
      title: { en: "Integration key", de: "Integrationsschlüssel" },
      help: {
        en: "In the service: Integrations, Events API V2",
        de: "Im Service: Integrations, Events API V2",
      },
      example: "a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4",
      secret: true,
      pattern: /^[A-Za-z\d]{32}$/,
    },
    {
      name: "region",
      title: { en: "Service region", de: "Region des Dienstes" },
      help: { en: "Where your account is", de: "Wo Ihr Konto liegt" },
      example: "us",
      kind: "choice",
      suggested: "us",
      choices: {
        us: {
          title: { en: "United States", de: "Vereinigte Staaten" },
          part: "events.pagerduty.com",
        },
        eu: { title: { en: "Europe", de: "Europa" }, part: "events.eu.pagerduty.com" },
      },
    },
  ],
  resolvesIncidents: true,
  acknowledgesIncidents: true,
  matches: ({ hostname, pathname }) =>
    hosts.test(hostname) && (pathname === "/v2/enqueue" || integration.test(pathname)),
  requestOf(context, url) {
    const { key: dedupKey, step } = incidentOf(context);
    const event = { event_action: actions[step], dedup_key: dedupKey };
    return {
      url: routeOf(url).target,
      body: step === "begin" ? { ...event, ...triggered(context) } : event,
    };
  },
  credentialsOf(url) {
    const { key } = routeOf(url);
    return key === undefined ? undefined : { routing_key: key };
  },
};

const actions = { begin: "trigger", acknowledge: "acknowledge", end: "resolve" } as const;

function triggered(
  context: Parameters<Service["requestOf"]>[0],
): Readonly<Record<string, unknown>> {
  const { subject, facts, confirmations, responseLines } = summaryOf(context);
  const { check } = context.alert.notice;
  return {
    payload: {
      summary: subject,
      source: check.target || check.id,
      // PagerDuty alerts with low urgency of what is over.
      severity: context.kind === "missed" ? "info" : "critical",
      timestamp: new Date(outageStart(context.alert.notice)).toISOString(),
      class: check.type,
      custom_details: {
        ...Object.fromEntries(facts.map(({ name, value }) => [name, value])),
        "Confirmed by": confirmations,
        ...(responseLines.length > 0 && { "It answered": responseLines }),
      },
    },
    client: "Watchpost",
    client_url: pageUrlOf(context),
  };
}

function routeOf(url: URL): { readonly target: URL; readonly key: string | undefined } {
  const ofPath = integration.exec(url.pathname)?.groups?.key;
  if (ofPath !== undefined) return { target: new URL("/v2/enqueue", url), key: ofPath };
  const target = new URL(url);
  target.searchParams.delete("routing_key");
  return { target, key: url.searchParams.get("routing_key") ?? undefined };
}
