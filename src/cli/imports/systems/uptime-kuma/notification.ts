import { messageOf } from "../../../../kit/errors.ts";
import { isRecord, parseJson } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import { noteFields } from "../../fields.ts";
import { basicAuth } from "../../http-check.ts";
import { createNotes, type ImportedContact, type Notes } from "../../imported.ts";
import {
  addressesIn,
  addressOf,
  gotifyAddress,
  homeAssistantAddress,
  lineAddress,
  matrixAddress,
  ntfyAddress,
  opsgenieAddress,
  pagerDutyAddress,
  pushoverAddress,
  signalAddress,
  telegramAddress,
} from "../../service-addresses.ts";
import { isOn, text } from "../../source.ts";
import { notificationFields } from "./notification-fields.ts";

const MAX_NAME_LENGTH = 255;

/** A notification becomes a contact with its addresses; one that has no counterpart has none, and says so. */
export function notificationToContact(row: JsonObject): ImportedContact {
  const notes = createNotes();
  const from = String(row.id);
  const config = configOf(row, notes);
  const name = (text(row.name) ?? text(config.name) ?? `Notification ${from}`).slice(
    0,
    MAX_NAME_LENGTH,
  );
  if (row.active === 0 || row.active === false)
    notes.changed("active", "it was off; take it from the checks, or mute its addresses");
  return { from, name, addresses: addressesOf(config, notes), notes: notes.list };
}

function configOf({ config }: JsonObject, notes: Notes): JsonObject {
  if (isRecord(config)) return config;
  try {
    const parsed = parseJson("config", text(config) ?? "{}");
    return isRecord(parsed) ? parsed : {};
  } catch (error) {
    notes.leftOut("config", messageOf(error));
    return {};
  }
}

type Convert = (config: JsonObject, notes: Notes) => readonly JsonObject[];

/** Addresses by the type of the notification. */
const kinds: Readonly<Record<string, Convert>> = {
  smtp: (config) =>
    ["smtpTo", "smtpCC", "smtpBCC"].flatMap((name) => addressesIn("email", text(config[name]))),
  webhook(config, notes) {
    if (text(config.webhookContentType) !== undefined)
      notes.changed("webhookContentType", "the body is that of webhooks here");
    const headers = headersOf(config.webhookAdditionalHeaders, notes);
    const action = text(config.httpMethod)?.toLowerCase();
    return addressOf("webhook", text(config.webhookURL)).map((address) => ({
      ...address,
      ...(headers !== undefined && { headers }),
      ...(action !== undefined && { action }),
    }));
  },
  slack: (config) => addressOf("slack", text(config.slackwebhookURL)),
  PagerDuty: (config) =>
    pagerDutyAddress(text(config.pagerdutyIntegrationKey), text(config.pagerdutyIntegrationUrl)),
  pushover(config) {
    const [token, user] = [text(config.pushoverapptoken), text(config.pushoveruserkey)];
    return pushoverAddress(token, user, {
      priority: text(config.pushoverpriority),
      device: text(config.pushoverdevice),
      sound: text(config.pushoversounds),
      ttl: text(config.pushoverttl),
    });
  },
  twilio: (config) => addressesIn("sms", text(config.twilioToNumber)),
  discord(config) {
    const url = URL.parse(text(config.discordWebhookUrl) ?? "");
    const thread = text(config.threadId);
    if (thread !== undefined) url?.searchParams.set("thread_id", thread);
    return addressOf("webhook", url?.href);
  },
  teams: (config) => addressOf("webhook", text(config.webhookUrl)),
  mattermost: (config) => addressOf("webhook", text(config.mattermostWebhookUrl)),
  "rocket.chat": (config) => addressOf("webhook", text(config.rocketwebhookURL)),
  ntfy(config, notes) {
    const server = text(config.ntfyserverurl);
    if (server !== undefined && URL.parse(server)?.hostname.startsWith("ntfy.") !== true)
      notes.changed(
        "ntfyserverurl",
        "ntfy is known by a host such as ntfy.example.com: give it one",
      );
    const authorization = ntfyAuthorization(config);
    return ntfyAddress({ server, topic: text(config.ntfytopic), authorization });
  },
  gotify: (config) =>
    gotifyAddress(text(config.gotifyserverurl), text(config.gotifyapplicationToken)),
  telegram: (config) =>
    telegramAddress(text(config.telegramBotToken), text(config.telegramChatID), {
      message_thread_id: text(config.telegramMessageThreadID),
      disable_notification: isOn(config.telegramSendSilently) ? "true" : undefined,
      protect_content: isOn(config.telegramProtectContent) ? "true" : undefined,
    }),
  Opsgenie: (config) => opsgenieAddress(text(config.opsgenieApiKey), text(config.opsgenieRegion)),
  GoogleChat: (config) => addressOf("webhook", text(config.googleChatWebhookURL)),
  matrix: (config) =>
    matrixAddress({
      server: text(config.homeserverUrl),
      room: text(config.internalRoomId),
      token: text(config.accessToken),
    }),
  HomeAssistant: (config) =>
    homeAssistantAddress({
      server: text(config.homeAssistantUrl),
      action: text(config.notificationService) ?? "notify",
      token: text(config.longLivedAccessToken),
    }),
  signal: (config) =>
    signalAddress({
      server: text(config.signalURL),
      number: text(config.signalNumber),
      recipients: text(config.signalRecipients),
    }),
  line: (config) => lineAddress(text(config.lineUserID), text(config.lineChannelAccessToken)),
};

/** Forms keep what was entered for the methods that are not chosen. */
function ntfyAuthorization(config: JsonObject): string | undefined {
  const [user, token] = [text(config.ntfyusername), text(config.ntfyaccesstoken)];
  const method = text(config.ntfyAuthenticationMethod);
  if (method === "none") return undefined;
  if (token !== undefined && (method === "accessToken" || user === undefined))
    return `Bearer ${token}`;
  return user === undefined ? undefined : basicAuth(user, text(config.ntfypassword) ?? "");
}

function addressesOf(config: JsonObject, notes: Notes): readonly JsonObject[] {
  const type = text(config.type) ?? "";
  const convert = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const addresses = convert?.(config, notes) ?? [];
  const fields = notificationFields(type);
  if (fields !== undefined) noteFields(config, fields, notes);
  if (addresses.length === 0)
    notes.leftOut(
      "type",
      convert === undefined
        ? `${type || "none"} has no counterpart: add an address to this contact`
        : "what it takes to reach it is missing",
    );
  return addresses;
}

function headersOf(value: unknown, notes: Notes): JsonObject | undefined {
  const sent = text(value);
  if (sent === undefined) return undefined;
  try {
    const parsed = parseJson("webhookAdditionalHeaders", sent);
    if (isRecord(parsed)) return parsed;
  } catch (error) {
    notes.leftOut("webhookAdditionalHeaders", messageOf(error));
    return undefined;
  }
  notes.leftOut("webhookAdditionalHeaders", "no object of headers");
  return undefined;
}
