import { isIP } from "node:net";
import { domainToASCII } from "node:url";

import { z } from "zod";

import { parseMailbox } from "../channels/mail/mailbox.ts";
import { systemMailVariables, defaultWelcomeText } from "../channels/mail/system-mail.ts";
import { regionCodes, regions } from "../domain/location.ts";
import type { Location } from "../domain/location.ts";
import { messageOf } from "../kit/errors.ts";
import { parseHost } from "../kit/net/host.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { providerSettings } from "./provider-settings.ts";
import { secretSetting, httpUrlSetting } from "./setting-schemas.ts";

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

/** An IPv6 address stands in brackets, for otherwise nobody could tell where its port begins. */
const hostAndPort = z.string().transform((text, context) => {
  const [, written = "", port] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const host = parseHost(written);
  if (host === undefined || Number(port) > 65_535) {
    context.addIssue(
      `must be an address and a port, such as 127.0.0.1:4848 or [::1]:4848, not ${JSON.stringify(text)}`,
    );
    return z.NEVER;
  }
  return { host, port: Number(port) };
});

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

/** A mailbox, or one with a name before it. */
const sender = z.string().transform((text, context) => {
  const [, bare = text] = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text) ?? [];
  mailboxOf(bare, context);
  return text;
});

const mailDomains = list.refine(
  (entries) => entries.every((entry) => !/[@:/\s]/.test(entry) && domainToASCII(entry) !== ""),
  { error: "must be domains such as example.com, separated by commas" },
);

const namedInBraces = systemMailVariables.map((name) => `{${name}}`);

const letterText = z
  .string()
  .refine((text) => text.includes("{password}"), { error: "must say {password}" })
  .refine((text) => (text.match(/\{\w+\}/g) ?? []).every((name) => namedInBraces.includes(name)), {
    error: `must name in braces no other words than ${namedInBraces.join(", ")}`,
  });

/** Visible, and without the colon at which Basic authentication would cut it. */
const token = z
  .string()
  .regex(/^[!-9;-~]{16,}$/, { error: "must be 16 or more characters without spaces and colons" })
  .transform((text) => new Secret(text));

const perMinute = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: "must be a whole number, such as 6000, or 0" })
    .default(String(usual))
    .transform(Number);

const notBuilt = (what: string) =>
  z
    .undefined({
      error: `${what} is not built yet: leave this out, and everything runs in one process on the embedded database`,
    })
    .optional();

/** Every setting under its one name, the same in the file and in the environment; text in, parsed out. */
export const settings = z.strictObject({
  WATCHPOST_LISTEN: hostAndPort.prefault("127.0.0.1:4848").meta({
    fallback: "`127.0.0.1:4848`",
    meaning: "Where the API, the PUSH intake (`/v1`) and the pages are served",
  }),
  WATCHPOST_DATA: z.string().min(1).default("./data").meta({
    fallback: "`./data`",
    meaning: "The folder of the embedded database and the instance key",
  }),
  WATCHPOST_TOKEN: token.optional().meta({
    fallback: "made, printed once",
    meaning:
      "The API token of the first account; the service reads it at the very first start only, the command line at every use",
  }),
  WATCHPOST_SMTP_URL: smtpUrl.optional().meta({
    fallback: "none",
    meaning:
      "The mail server, such as `smtp://user:password@mail.example.com:587`. Without it mail alerts are kept as failed deliveries, and nobody can be given a password",
  }),
  WATCHPOST_MAIL_FROM: sender.optional().meta({
    fallback: "none",
    meaning:
      "The sender of mails, such as `Watchpost <watchpost@example.com>`; required with `WATCHPOST_SMTP_URL`",
  }),
  WATCHPOST_MAIL_FROM_DOMAINS: mailDomains.meta({
    fallback: "none",
    meaning:
      "Domains, separated by commas, whose mailboxes an account may show as the sender of its mails, beside that of `WATCHPOST_MAIL_FROM`. Your mail server has to be allowed to send for them (SPF, DKIM)",
  }),
  WATCHPOST_BUNDLE_SECONDS: z
    .string()
    .regex(/^(?:\d|[12]\d|30)$/, { error: "must be a whole number from 0 to 30" })
    .default("5")
    .transform(Number)
    .meta({
      fallback: "`5`",
      meaning:
        "How long a mail or a text waits for others to the same address where one about another check has just left, and a call six times as long: what came by then leaves as one. The first is never delayed. At most `30`; `0` sends one for each alert",
    }),
  WATCHPOST_PUSHOVER_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9]{30}$/, {
      error: "must be the token of an application: 30 letters and digits",
    })
    .transform((text) => new Secret(text))
    .optional()
    .meta({
      fallback: "none",
      meaning:
        "The API token of the application that sends by Pushover. Without it alerts to such addresses are kept as failed deliveries",
    }),
  WATCHPOST_WELCOME_TEXT: letterText.default(defaultWelcomeText).meta({
    fallback: "a text of ours",
    meaning:
      "What a new contact that may sign in is mailed, unless its account has a welcome of its own. `{name}`, `{email}`, `{password}` and `{url}` stand for what they say; `{password}` is required",
  }),
  ...providerSettings,
  WATCHPOST_URL: httpUrlSetting.optional().meta({
    fallback: "from the listen address",
    meaning: "The public address of this installation, for links in alerts",
  }),
  WATCHPOST_OWNER_EMAIL: mailbox.optional().meta({
    fallback: "none",
    meaning: "The address of the first account's owner; read at the very first start only",
  }),
  WATCHPOST_INSTANCE_KEY: secretSetting.optional().meta({
    fallback: "made in the data folder, mode 0600",
    meaning:
      "32 bytes, in hex or base64, that encrypt credentials at rest. Back it up with the database",
  }),
  WATCHPOST_TRUSTED_PROXIES: addressRanges.meta({
    fallback: "none",
    meaning: "Addresses and ranges, separated by commas, whose `X-Forwarded-For` is believed",
  }),
  WATCHPOST_LOCATION: z
    .string()
    .refine(isLocationCode, {
      error: "must be 1 to 20 lower-case letters and digits, and no region",
    })
    .optional()
    .meta({ fallback: "`local`", meaning: "The code of the location this process probes from" }),
  WATCHPOST_REGION: regionOf.optional().meta({
    fallback: "every region",
    meaning: "The region it counts for: `nam`, `lam`, `eur` or `eao`",
  }),
  WATCHPOST_LOCATIONS: locations.meta({
    fallback: "none",
    meaning: "Several locations in one process instead, such as `ny:nam,ld:eur`",
  }),
  WATCHPOST_WITNESSES: list.pipe(z.array(hostAndPort)).meta({
    fallback: "none",
    meaning:
      "Addresses with ports, separated by commas, that tell whether our own way out works, such as `192.0.2.1:443`. Nothing is contacted unasked",
  }),
  WATCHPOST_EGRESS: z
    .enum(["private", "public"], { error: 'must be "private" or "public"' })
    .default("private")
    .meta({
      fallback: "`private`",
      meaning:
        "`private`: targets in private and loopback ranges are allowed; `public`: they are refused",
    }),
  WATCHPOST_COMPATIBILITY: z
    .enum(["standard", "legacy"], { error: 'must be "standard" or "legacy"' })
    .default("standard")
    .meta({
      fallback: "`standard`",
      meaning: "`legacy`: errors answer with status 200 and other habits that some clients need",
    }),
  WATCHPOST_TOKEN_RATE: perMinute(12_000).meta({
    fallback: "`12000`",
    meaning: "Requests a minute that the API takes with one token; `0` is no limit",
  }),
  WATCHPOST_ADDRESS_RATE: perMinute(24_000).meta({
    fallback: "`24000`",
    meaning:
      "Requests a minute that the API takes from one client address, IPv6 by its first 64 bits; `0` is no limit. Heartbeats have a limit of their own, per check",
  }),
  WATCHPOST_ROLES: z
    .literal("all", { error: 'must be "all": running the roles apart is not built yet' })
    .default("all")
    .meta({
      fallback: "`all`",
      meaning: "Which parts this process runs; only all of them together so far",
    }),
  WATCHPOST_DATABASE_URL: notBuilt("the store on PostgreSQL").meta({
    fallback: "none",
    meaning: "Reserved for the store on PostgreSQL; refused so far",
  }),
  WATCHPOST_NATS_URL: notBuilt("the bus on NATS").meta({
    fallback: "none",
    meaning: "Reserved for the bus on NATS; refused so far",
  }),
});

function isLocationCode(code: string): boolean {
  return /^[a-z0-9]{1,20}$/.test(code) && !regionCodes.some((region) => region === code);
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
