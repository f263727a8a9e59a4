import { messageOf } from "../../../../kit/errors.ts";
import { isRecord, parseJson } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import { createNotes } from "../../imported.ts";
import type { ImportedContact, Notes } from "../../imported.ts";
import { text } from "../../source.ts";

const LONGEST_NAME = 255;

/** A notification becomes a contact with its addresses; one that has no counterpart has none, and says so. */
export function notificationToContact(row: JsonObject): ImportedContact {
  const notes = createNotes();
  const from = String(row.id);
  const config = configOf(row, notes);
  const name = (text(row.name) ?? text(config.name) ?? `Notification ${from}`).slice(
    0,
    LONGEST_NAME,
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

/** Addresses by the type of the notification. */
const kinds: Readonly<Record<string, (config: JsonObject, notes: Notes) => readonly JsonObject[]>> =
  {
    smtp(config, notes) {
      for (const name of ["smtpHost", "customSubject", "customBody"])
        if (text(config[name]) !== undefined)
          notes.leftOut(
            name,
            name === "smtpHost"
              ? "mails are sent by the mail server of this installation"
              : "the texts of mails are branding of the account",
          );
      return ["smtpTo", "smtpCC", "smtpBCC"]
        .flatMap((name) => (text(config[name]) ?? "").split(","))
        .map((mailbox) => /<([^>]+)>/.exec(mailbox)?.[1] ?? mailbox.trim())
        .filter((mailbox) => mailbox !== "")
        .map((address) => ({ type: "email", address }));
    },
    webhook(config, notes) {
      if (text(config.webhookCustomBody) !== undefined)
        notes.leftOut(
          "webhookCustomBody",
          "a template of Liquid: write `data` of the address anew",
        );
      if (text(config.webhookContentType) !== undefined)
        notes.changed("webhookContentType", "the body is that of webhooks here");
      const headers = headersOf(config.webhookAdditionalHeaders, notes);
      const action = text(config.httpMethod)?.toLowerCase();
      return webhook(config.webhookURL, {
        ...(headers !== undefined && { headers }),
        ...(action !== undefined && { action }),
      });
    },
    slack: (config) => addressOf("slack", config.slackwebhookURL),
    PagerDuty: (config) => addressOf("pagerduty", config.pagerdutyIntegrationKey),
    pushover(config, notes) {
      notes.leftOut(
        "pushoverapptoken",
        "messages are sent by the application of this installation",
      );
      const priority = text(config.pushoverpriority);
      return addressOf("pushover", config.pushoveruserkey).map((address) => ({
        ...address,
        ...(priority !== undefined && { priority }),
      }));
    },
    twilio: (config) => addressOf("sms", config.twilioToNumber),
    discord: (config) => webhook(config.discordWebhookUrl),
    teams: (config) => webhook(config.webhookUrl),
    mattermost: (config) => webhook(config.mattermostWebhookUrl),
    "rocket.chat": (config) => webhook(config.rocketwebhookURL),
    ntfy(config, notes) {
      if (text(config.ntfyusername) !== undefined || text(config.ntfyaccesstoken) !== undefined)
        notes.leftOut("ntfyusername", "give the address its headers: Authorization");
      if (config.ntfyPriority !== undefined) notes.leftOut("ntfyPriority", "alerts have their own");
      const [server, topic] = [text(config.ntfyserverurl), text(config.ntfytopic)];
      return server === undefined || topic === undefined
        ? []
        : webhook(`${server.replace(/\/+$/, "")}/${encodeURIComponent(topic)}`);
    },
    gotify(config) {
      const [server, token] = [text(config.gotifyserverurl), text(config.gotifyapplicationToken)];
      return server === undefined || token === undefined
        ? []
        : webhook(`${server.replace(/\/+$/, "")}/message?token=${encodeURIComponent(token)}`);
    },
    telegram(config) {
      const [token, chat] = [text(config.telegramBotToken), text(config.telegramChatID)];
      return token === undefined || chat === undefined
        ? []
        : webhook(
            `https://api.telegram.org/bot${token}/sendMessage?chat_id=${encodeURIComponent(chat)}`,
          );
    },
  };

function addressesOf(config: JsonObject, notes: Notes): readonly JsonObject[] {
  const type = text(config.type) ?? "";
  const convert = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const addresses = convert?.(config, notes) ?? [];
  if (addresses.length === 0)
    notes.leftOut(
      "type",
      convert === undefined
        ? `${type || "none"} has no counterpart: add an address to this contact`
        : "what it takes to reach it is missing",
    );
  return addresses;
}

function addressOf(type: string, value: unknown): readonly JsonObject[] {
  const address = text(value);
  return address === undefined ? [] : [{ type, address }];
}

function webhook(value: unknown, more: JsonObject = {}): readonly JsonObject[] {
  return addressOf("webhook", value).map((address) => ({ ...address, ...more }));
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
