import type { JsonObject } from "../../../api-client.ts";
import { createNotes } from "../../imported.ts";
import type { ImportedContact, Notes } from "../../imported.ts";
import { number, object, objects, text } from "../../source.ts";

const USUAL_FAILURES = 3;

/** An alert of an endpoint, with what the default of its type adds. */
export interface Alert {
  readonly type: string;
  readonly failures: number;
  readonly sendsRecovery: boolean;
  readonly isEnabled: boolean;
}

export function alertsOf(endpoint: JsonObject, alerting: JsonObject): readonly Alert[] {
  return objects(endpoint.alerts).flatMap((sent) => {
    const type = text(sent.type);
    if (type === undefined) return [];
    const alert = { ...object(object(alerting[type])["default-alert"]), ...sent };
    return [
      {
        type,
        failures: number(alert["failure-threshold"]) ?? USUAL_FAILURES,
        sendsRecovery: alert["send-on-resolved"] === true,
        isEnabled: alert.enabled !== false,
      },
    ];
  });
}

/** A type of alert has two contacts where some alert of recoveries and some do not. */
export function contactKey({ type, sendsRecovery }: Pick<Alert, "type" | "sendsRecovery">): string {
  return sendsRecovery ? type : `${type}, no recoveries`;
}

const providers: Readonly<Record<string, (settings: JsonObject) => readonly JsonObject[]>> = {
  email: ({ to }) =>
    (text(to) ?? "")
      .split(",")
      .map((address) => address.trim())
      .filter((address) => address !== "")
      .map((address) => ({ type: "email", address })),
  slack: (settings) => addressOf("slack", settings["webhook-url"]),
  discord: (settings) => addressOf("webhook", settings["webhook-url"]),
  mattermost: (settings) => addressOf("webhook", settings["webhook-url"]),
  teams: (settings) => addressOf("webhook", settings["webhook-url"]),
  "teams-workflows": (settings) => addressOf("webhook", settings["webhook-url"]),
  googlechat: (settings) => addressOf("webhook", settings["webhook-url"]),
  pagerduty: (settings) => addressOf("pagerduty", settings["integration-key"]),
  pushover: (settings) => addressOf("pushover", settings["user-key"]),
  twilio: ({ to }) => addressOf("sms", to),
  ntfy({ url, topic }) {
    const name = text(topic);
    return name === undefined
      ? []
      : addressOf("webhook", `${(text(url) ?? "https://ntfy.sh").replace(/\/+$/, "")}/${name}`);
  },
  gotify(settings) {
    const [server, token] = [text(settings["server-url"]), text(settings.token)];
    return server === undefined || token === undefined
      ? []
      : addressOf("webhook", `${server.replace(/\/+$/, "")}/message?token=${token}`);
  },
  telegram({ token, id }) {
    const [secret, chat] = [text(token), text(id)];
    return secret === undefined || chat === undefined
      ? []
      : addressOf(
          "webhook",
          `https://api.telegram.org/bot${secret}/sendMessage?chat_id=${encodeURIComponent(chat)}`,
        );
  },
};

export function contactsOf(
  alerting: JsonObject,
  alerts: readonly Alert[],
): readonly ImportedContact[] {
  const wanted = new Map(alerts.map((alert) => [contactKey(alert), alert]));
  return [...wanted].map(([from, { type, sendsRecovery }]) => {
    const notes = createNotes();
    const addresses = addressesOf(type, object(alerting[type]), notes);
    return {
      from,
      name: `gatus ${from}`,
      addresses: addresses.map((address) => ({
        ...address,
        ...(!sendsRecovery && { suppressup: true }),
      })),
      notes: notes.list,
    };
  });
}

function addressesOf(type: string, settings: JsonObject, notes: Notes): readonly JsonObject[] {
  const convert = Object.hasOwn(providers, type) ? providers[type] : undefined;
  const addresses = convert?.(settings) ?? [];
  if (addresses.length === 0)
    notes.leftOut(
      "alerting",
      convert === undefined
        ? `${type} has no counterpart: add an address to this contact`
        : "what it takes to reach it is missing",
    );
  if (objects(settings.overrides).length > 0)
    notes.leftOut("overrides", "other receivers of some groups: make contacts for them");
  return addresses;
}

function addressOf(type: string, value: unknown): readonly JsonObject[] {
  const address = text(value);
  return address === undefined ? [] : [{ type, address }];
}
