import { leftOut, mapped, noSetting, partOf, type Fields } from "../../fields.ts";

const OWN_TEXT = "alerts have a text of their own";
const OWN_LOOK = "it is chosen where the webhook was made";
const NO_MENTION = "alerts mention nobody";

const common: Fields = {
  ...mapped("type"),
  ...noSetting("active applyExisting id isDefault name userId"),
};

const ofType: Readonly<Record<string, Fields>> = {
  smtp: {
    ...mapped("smtpBCC smtpCC smtpTo"),
    ...leftOut("smtpHost", "mails are sent by the mail server of this installation"),
    ...partOf(
      "smtpHost",
      `smtpDkimDomain smtpDkimHashAlgo smtpDkimKeySelector smtpDkimPrivateKey smtpDkimheaderFieldNames
      smtpDkimskipFields smtpFrom smtpIgnoreSTARTTLS smtpIgnoreTLSError smtpPassword smtpPort smtpSecure
      smtpUsername`,
    ),
    ...leftOut(
      "customBody customSubject htmlBody",
      "the texts of mails are branding of the account",
    ),
  },
  webhook: {
    ...mapped("httpMethod webhookAdditionalHeaders webhookContentType webhookURL"),
    ...leftOut("webhookCustomBody", "a template of Liquid: write it again as data of the address"),
  },
  slack: {
    ...mapped("slackwebhookURL"),
    ...leftOut("slackchannel", "a webhook writes to its own channel: make one for each channel"),
    ...leftOut("slackiconemo slackusername", OWN_LOOK),
    ...leftOut("slackchannelnotify", NO_MENTION),
    ...leftOut("slackrichmessage", OWN_TEXT, true),
    ...leftOut("slackTemplate slackUseTemplate", OWN_TEXT),
    ...leftOut("slackIncludeGroupName", OWN_TEXT, true),
  },
  PagerDuty: {
    ...mapped("pagerdutyIntegrationKey pagerdutyIntegrationUrl"),
    ...leftOut("pagerdutyPriority", "every incident is critical", "critical"),
    ...leftOut("pagerdutyAutoResolve", "the end of an outage resolves its incident", "resolve"),
  },
  pushover: {
    ...mapped("pushoverapptoken pushoverdevice pushoverpriority pushoversounds pushoverttl"),
    ...mapped("pushoveruserkey"),
    ...leftOut("pushoversounds_up", "recoveries have the sound of failures"),
    ...leftOut("pushovertitle", OWN_TEXT),
  },
  twilio: {
    ...mapped("twilioToNumber"),
    ...leftOut(
      "twilioAccountSID",
      "texts are sent by the account of this installation: WATCHPOST_TWILIO_ACCOUNT",
    ),
    ...partOf(
      "twilioAccountSID",
      "twilioApiKey twilioAuthToken twilioFromNumber twilioMessagingServiceSID",
    ),
  },
  discord: {
    ...mapped("discordWebhookUrl threadId"),
    ...partOf("threadId", "discordChannelType"),
    ...leftOut("postName", "no post is made: give the address the id of a thread, thread_id"),
    ...leftOut("discordUsername", OWN_LOOK),
    ...leftOut("discordPrefixMessage", `${NO_MENTION}, and ${OWN_TEXT}`),
    ...leftOut("discordMessageFormat", OWN_TEXT, "normal"),
    ...leftOut("discordMessageTemplate discordUseMessageTemplate disableUrl", OWN_TEXT),
    ...leftOut("discordSuppressNotifications", "every message makes a notification"),
  },
  teams: mapped("webhookUrl"),
  mattermost: {
    ...mapped("mattermostWebhookUrl"),
    ...leftOut("mattermostchannel", "a webhook writes to its own channel"),
    ...leftOut("mattermosticonemo mattermosticonurl mattermostusername", OWN_LOOK),
  },
  "rocket.chat": {
    ...mapped("rocketwebhookURL"),
    ...leftOut("rocketchannel", "a webhook writes to its own channel"),
    ...leftOut("rocketiconemo rocketusername", OWN_LOOK),
  },
  ntfy: {
    ...mapped("ntfyAuthenticationMethod ntfyaccesstoken ntfypassword ntfyserverurl ntfytopic"),
    ...mapped("ntfyusername"),
    ...leftOut("ntfyPriority ntfyPriorityDown", "failures have priority 4, recoveries 3"),
    ...leftOut("ntfyIcon", "messages have no icon"),
    ...leftOut("ntfyCustomMessage ntfyCustomTitle ntfyUseTemplate ntfyCall", OWN_TEXT),
  },
  gotify: {
    ...mapped("gotifyapplicationToken gotifyserverurl"),
    ...leftOut("gotifyPriority", "failures have priority 8, recoveries 5"),
  },
  telegram: {
    ...mapped("telegramBotToken telegramChatID telegramMessageThreadID"),
    ...mapped("telegramProtectContent telegramSendSilently"),
    ...leftOut("telegramServerUrl", "messages go to api.telegram.org", "https://api.telegram.org"),
    ...leftOut("telegramTemplate telegramTemplateParseMode telegramUseTemplate", OWN_TEXT),
  },
  Opsgenie: {
    ...mapped("opsgenieApiKey opsgenieRegion"),
    ...leftOut("opsgeniePriority", "every alert has priority P1"),
  },
  GoogleChat: {
    ...mapped("googleChatWebhookURL"),
    ...leftOut("googleChatTemplate googleChatUseTemplate", OWN_TEXT),
    ...leftOut("googleChatMaxRetries", "deliveries are retried for hours", 1),
  },
  matrix: {
    ...mapped("accessToken homeserverUrl internalRoomId"),
    ...leftOut("matrixTemplate matrixUseTemplate", OWN_TEXT),
  },
  HomeAssistant: mapped("homeAssistantUrl longLivedAccessToken notificationService"),
  signal: {
    ...mapped("signalNumber signalRecipients signalURL"),
    ...leftOut("signalTemplate signalUseTemplate", OWN_TEXT),
  },
  line: mapped("lineChannelAccessToken lineUserID"),
};

/** Returns the treatment of each setting of a notification; undefined for a type without an equivalent, whose settings are all lost. */
export function notificationFields(type: string): Fields | undefined {
  const own = Object.hasOwn(ofType, type) ? ofType[type] : undefined;
  return own === undefined ? undefined : { ...common, ...own };
}
