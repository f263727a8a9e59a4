import { isIP } from "node:net";
import { domainToASCII } from "node:url";

import { z } from "zod";

import { parseMailbox } from "../channels/mail/mailbox.ts";
import { systemMailVariables, defaultWelcomeText } from "../channels/mail/system-mail.ts";
import { isLocationCode, regions, type Location } from "../domain/location.ts";
import { messageOf } from "../kit/errors.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { HISTORY_KEPT_DAYS, RESULTS_KEPT_DAYS, SUMMARIES_KEPT_DAYS } from "../store/retention.ts";
import { backupSettings } from "./backup-settings.ts";
import { clientSettings } from "./client-settings.ts";
import { defaultListen } from "./given-settings.ts";
import { operatorSettings } from "./operator-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import { natsSettings } from "./nats-settings.ts";
import { probeSettings } from "./probe-settings.ts";
import { roleSettings } from "./role-settings.ts";
import { limitSettings } from "./limit-settings.ts";
import { providerSettings } from "./provider-settings.ts";
import { parseTimeZone } from "../schema/time-zone.ts";
import { hostAndPort, httpUrlSetting, secretSetting, tokenSetting } from "./setting-schemas.ts";
import { storeSettings } from "./store-settings.ts";
import { targetSettings } from "./target-settings.ts";
import { logSettings } from "./log-settings.ts";

const regionOf = z
  .enum([...regions, "every"], { error: `must be one of ${regions.join(", ")}` })
  .transform((region) => (region === "every" ? undefined : region));

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

const addressRanges = list.refine((entries) => entries.every(isAddressRange), {
  error: "must be IP addresses and ranges such as 10.0.0.0/8, separated by commas",
});

const locations = list.transform((entries, context): readonly Location[] =>
  entries.map((entry) => {
    const [code = "", region = "every", ...more] = entry.split(":");
    const parsed = regionOf.safeParse(region);
    if (!isLocationCode(code) || !parsed.success || more.length > 0) {
      context.addIssue(
        `must be codes with regions, such as "ny:nam,ld:eur", not ${JSON.stringify(entry)}`,
      );
      return z.NEVER;
    }
    return { code, region: parsed.data };
  }),
);

const smtpUrl = z
  .string()
  .refine((text) => /^smtps?:\/\//i.test(text) && (URL.parse(text)?.hostname ?? "") !== "", {
    error: "must be a URL that begins with smtp:// or smtps:// and names a host",
  })
  .transform((text) => new Secret(text));

const mailbox = z.string().transform(mailboxOf);

const timeZone = z.string().transform((text, context) => {
  const zone = parseTimeZone(text);
  if (zone !== undefined) return zone;
  context.addIssue("must be a time zone such as Europe/Berlin, or hours ahead of GMT such as 5.75");
  return z.NEVER;
});

/** A mailbox, with or without a display name. */
const sender = z.string().transform((text, context) => {
  const [, bare = text] = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text) ?? [];
  mailboxOf(bare, context);
  return text;
});

const domains = list.refine(
  (entries) => entries.every((entry) => !/[@:/\s]/.test(entry) && domainToASCII(entry) !== ""),
  { error: "must be domains such as example.com, separated by commas" },
);

const namedInBraces = systemMailVariables.map((name) => `{${name}}`);

const letterText = z
  .string()
  .refine((text) => text.includes("{password}"), { error: "must contain {password}" })
  .refine((text) => (text.match(/\{\w+\}/g) ?? []).every((name) => namedInBraces.includes(name)), {
    error: `must use no other variables than ${namedInBraces.join(", ")}`,
  });

/** Every setting by its name, which is the same in the file and in the environment. */
export const settings = z.strictObject({
  WATCHPOST_LISTEN: hostAndPort.prefault(defaultListen).meta({
    fallback: "`127.0.0.1:4848`",
    meaning: "The address and port for the API, heartbeats (`/v1`) and the dashboard",
  }),
  WATCHPOST_DATA: z.string().min(1).default("./data").meta({
    fallback: "`./data`",
    meaning: "The folder for the embedded database and the instance key",
  }),
  WATCHPOST_TOKEN: tokenSetting.optional().meta({
    fallback: "none",
    meaning:
      "An API token for the first account, which has none without it. The service reads it at the first start only, the command line on every call",
  }),
  WATCHPOST_SMTP_URL: smtpUrl.optional().meta({
    fallback: "none",
    meaning:
      "The mail server, such as `smtp://user:password@mail.example.com:587`. Without it, mail alerts are recorded as failed, and no passwords can be sent",
  }),
  WATCHPOST_MAIL_FROM: sender.optional().meta({
    fallback: "none",
    meaning:
      "The sender of all mails, such as `Watchpost <watchpost@example.com>`; required with `WATCHPOST_SMTP_URL`",
  }),
  WATCHPOST_MAIL_FROM_DOMAINS: domains.meta({
    fallback: "none",
    meaning:
      "Further domains, separated by commas, that accounts may choose a sender from, besides the domain of `WATCHPOST_MAIL_FROM`. Your mail server must be allowed to send for them (SPF, DKIM)",
  }),
  WATCHPOST_GROUP_WAIT_SECONDS: z
    .string()
    .regex(/^(?:\d|[12]\d|30)$/, { error: "must be a whole number from 0 to 30" })
    .default("5")
    .transform(Number)
    .meta({
      fallback: "`5`",
      meaning:
        "The first grouping window: after an alert is sent to an address, later alerts to it about other checks wait this many seconds (calls six times as long) and are sent together. While more follow, the window widens to four and then twelve times that, but to no more than a minute; checks of one host that fail for the same reason as one already named wait for the widest. The first alert is never delayed, and the next one that comes when nothing was sent for as long as the widest window is a first one again. At most `30`; `0` turns grouping off",
    }),
  WATCHPOST_LINK_DAYS: z
    .string()
    .regex(/^(?:\d{1,2}|[12]\d\d|3[0-5]\d|36[0-5])$/, {
      error: "must be a whole number from 0 to 365",
    })
    .default("30")
    .transform(Number)
    .meta({
      fallback: "`30`",
      meaning:
        "For how many days the link of an alert shows its receiver the one check without a token, read-only. It ends sooner with the check, the contact or the address. At most `365`; with `0` the links lead to the dashboard",
    }),
  WATCHPOST_PUSHOVER_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9]{30}$/, {
      error: "must be an application token of 30 letters and digits",
    })
    .transform((text) => new Secret(text))
    .optional()
    .meta({
      fallback: "none",
      meaning:
        "The API token of your Pushover application. Without it, alerts to `pushover` addresses are recorded as failed",
    }),
  WATCHPOST_WELCOME_TEXT: letterText.default(defaultWelcomeText).meta({
    fallback: "a default text",
    meaning:
      "The mail to a new contact that may sign in, unless its account defines its own. The variables are `{name}`, `{email}`, `{password}` (required) and `{url}`",
  }),
  ...providerSettings,
  ...oidcSettings,
  ...logSettings,
  WATCHPOST_URL: httpUrlSetting.optional().meta({
    fallback: "from the listen address",
    meaning: "The public URL of this installation, for links in alerts",
  }),
  WATCHPOST_STATUS_DOMAINS: domains
    .transform((names) => names.map(domainToASCII))
    .meta({
      fallback: "none",
      meaning:
        "Domains, separated by commas, under which accounts may have their status pages shown, such as `status.example.com`: the domain itself, and every name below it. Nothing else is served there. See [status-pages.md](status-pages.md#a-domain-of-its-own)",
    }),
  WATCHPOST_OWNER_EMAIL: mailbox.optional().meta({
    fallback: "none",
    meaning: "The email address of the first account's owner; read at the first start only",
  }),
  WATCHPOST_TIMEZONE: timeZone.prefault("0").meta({
    fallback: "`0`",
    meaning:
      "The time zone of the first account: a name such as `Europe/Berlin`, or hours ahead of GMT; read at the first start only",
  }),
  WATCHPOST_INSTANCE_KEY: secretSetting.optional().meta({
    fallback: "created in the data folder, mode 0600",
    meaning:
      "The key that encrypts credentials at rest: 32 bytes in hex or base64. Back it up with the database. With `WATCHPOST_DATABASE_URL` none is created: every process over the database needs the same",
  }),
  WATCHPOST_TRUSTED_PROXIES: addressRanges.meta({
    fallback: "none",
    meaning:
      "IP addresses and ranges, separated by commas, of proxies whose `X-Forwarded-For` is trusted",
  }),
  WATCHPOST_LOCATION: z
    .string()
    .refine(isLocationCode, {
      error: "must be 1 to 20 lower-case letters and digits, and no region",
    })
    .optional()
    .meta({
      fallback: "`local`",
      meaning: "The code of the location that this process runs checks from",
    }),
  WATCHPOST_REGION: regionOf.optional().meta({
    fallback: "every region",
    meaning:
      "The region of that location: `nam`, `lam`, `eur` or `eao`. For `watchpost probe` the location key decides, and a region that contradicts it is refused",
  }),
  WATCHPOST_LOCATIONS: locations.meta({
    fallback: "none",
    meaning: "Several locations in one process instead of one, such as `ny:nam,ld:eur`",
  }),
  WATCHPOST_CONNECTIVITY_PROBES: list.pipe(z.array(hostAndPort)).meta({
    fallback: "none",
    meaning:
      "Addresses with ports, separated by commas, that are dialled to find out whether this machine is online, such as `192.0.2.1:443`. None is contacted by default",
  }),
  ...probeSettings,
  WATCHPOST_EGRESS: z
    .enum(["private", "public"], { error: 'must be "private" or "public"' })
    .default("private")
    .meta({
      fallback: "`private`",
      meaning: "`private` allows targets in private and loopback ranges, `public` refuses them",
    }),
  WATCHPOST_COMPATIBILITY: z
    .enum(["standard", "legacy"], { error: 'must be "standard" or "legacy"' })
    .default("standard")
    .meta({
      fallback: "`standard`",
      meaning:
        "the compatibility of new tokens: `legacy` sends errors with status 200, and keeps other behaviour that some clients need; see [api.md](api.md#legacy-mode)",
    }),
  ...clientSettings,
  ...targetSettings,
  ...limitSettings,
  WATCHPOST_HISTORY_DAYS: keptDays(HISTORY_KEPT_DAYS).meta({
    fallback: `\`${HISTORY_KEPT_DAYS}\``,
    meaning: `For how many days alerts, deliveries, state changes, diagnostics and other [history](#what-is-kept-how-long) are kept; ${RESULTS_KEPT_DAYS} or more. Results are always kept for ${RESULTS_KEPT_DAYS} days, uptime for ever`,
  }),
  WATCHPOST_HOURLY_SUMMARY_DAYS: keptDays(SUMMARIES_KEPT_DAYS.hourly).meta({
    fallback: `\`${SUMMARIES_KEPT_DAYS.hourly}\``,
    meaning: `For how many days it is kept what the results of each hour add up to; ${RESULTS_KEPT_DAYS} or more`,
  }),
  WATCHPOST_DAILY_SUMMARY_DAYS: keptDays(SUMMARIES_KEPT_DAYS.daily).meta({
    fallback: `\`${SUMMARIES_KEPT_DAYS.daily}\``,
    meaning: `The same for each day, for charts of years; ${RESULTS_KEPT_DAYS} or more`,
  }),
  ...roleSettings,
  ...storeSettings,
  ...backupSettings,
  ...natsSettings,
  ...operatorSettings,
});

function keptDays(fallback: number) {
  return z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= RESULTS_KEPT_DAYS, {
      error: `must be a whole number of days, ${RESULTS_KEPT_DAYS} or more`,
    })
    .default(String(fallback))
    .transform(Number);
}

function isAddressRange(entry: string): boolean {
  const [, address = "", bits = "1"] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return most !== undefined && Number(bits) >= 1 && Number(bits) <= most;
}

function mailboxOf(text: string, context: z.RefinementCtx): string {
  try {
    return parseMailbox(text);
  } catch (error) {
    context.addIssue(messageOf(error));
    return z.NEVER;
  }
}
