import type { JsonObject } from "../../../api-client.ts";
import { createNotes, type ImportedContact, type Notes } from "../../imported.ts";
import { noteFields } from "../../fields.ts";
import {
  addressesIn,
  addressOf,
  gotifyAddress,
  lineAddress,
  matrixAddress,
  ntfyAddress,
  opsgenieAddress,
  pushoverAddress,
  signalAddress,
  telegramAddress,
} from "../../service-addresses.ts";
import { number, object, objects, text, texts } from "../../source.ts";
import { alertFields, providerFields } from "./fields.ts";

const USUAL_FAILURES = 3;

/** An alert of an endpoint, with what the default of its type adds. */
export interface GatusAlert {
  readonly type: string;
  readonly failures: number;
  readonly sendsRecovery: boolean;
  readonly isEnabled: boolean;
}

export function alertsOf(
  endpoint: JsonObject,
  alerting: JsonObject,
  notes: Notes = createNotes(),
): readonly GatusAlert[] {
  return objects(endpoint.alerts).flatMap((sent) => {
    const type = text(sent.type);
    if (type === undefined) return [];
    const alert: JsonObject = { ...object(object(alerting[type])["default-alert"]), ...sent };
    noteFields(alert, alertFields, notes, "alerts.");
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
export function contactKey({
  type,
  sendsRecovery,
}: Pick<GatusAlert, "type" | "sendsRecovery">): string {
  return sendsRecovery ? type : `${type}, no recoveries`;
}

type Provider = (settings: JsonObject) => readonly JsonObject[];

const webhook: Provider = (settings) => addressOf("webhook", text(settings["webhook-url"]));

const providers: Readonly<Record<string, Provider>> = {
  email: ({ to }) => addressesIn("email", text(to)),
  slack: (settings) => addressOf("slack", text(settings["webhook-url"])),
  discord: webhook,
  mattermost: webhook,
  teams: webhook,
  "teams-workflows": webhook,
  googlechat: webhook,
  pagerduty: (settings) => addressOf("pagerduty", text(settings["integration-key"])),
  pushover: (settings) =>
    pushoverAddress(text(settings["application-token"]), text(settings["user-key"]), {
      priority: text(settings.priority),
      device: text(settings.device),
      sound: text(settings.sound),
      ttl: text(settings.ttl),
    }),
  twilio: ({ to }) => addressesIn("sms", text(to)),
  ntfy({ url, topic, token }) {
    const secret = text(token);
    return ntfyAddress({
      server: text(url) ?? "https://ntfy.sh",
      topic: text(topic),
      authorization: secret === undefined ? undefined : `Bearer ${secret}`,
    });
  },
  gotify: (settings) => gotifyAddress(text(settings["server-url"]), text(settings.token)),
  telegram: (settings) =>
    telegramAddress(text(settings.token), text(settings.id), {
      message_thread_id: text(settings["topic-id"]),
    }),
  opsgenie: (settings) => opsgenieAddress(text(settings["api-key"]), undefined),
  matrix: (settings) =>
    matrixAddress({
      server: text(settings["server-url"]) ?? "https://matrix-client.matrix.org",
      room: text(settings["internal-room-id"]),
      token: text(settings["access-token"]),
    }),
  signal: (settings) =>
    signalAddress({
      server: text(settings["api-url"]),
      number: text(settings.number),
      recipients: texts(settings.recipients).join(",") || undefined,
    }),
  line: (settings) =>
    texts(settings["user-ids"]).flatMap((user) =>
      lineAddress(user, text(settings["channel-access-token"])),
    ),
};

export function contactsOf(
  alerting: JsonObject,
  alerts: readonly GatusAlert[],
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
  const fields = providerFields(type);
  if (fields !== undefined) noteFields(settings, fields, notes);
  return addresses;
}
