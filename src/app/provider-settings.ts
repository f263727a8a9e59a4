import { z } from "zod";

import { secretSetting, httpUrlSetting } from "./setting-schemas.ts";

const twilioAccount = z
  .string()
  .regex(/^AC[\da-f]{32}$/i, { error: "must be AC and 32 hexadecimal digits" });

const wholeNumber = z
  .string()
  .regex(/^\+[1-9]\d{4,14}$/, { error: "must be a number with its country, such as +15550100" });

/** Of those who bring alerts to telephones and handles. */
export const providerSettings = {
  WATCHPOST_TWILIO_ACCOUNT: twilioAccount.optional().meta({
    fallback: "none",
    meaning:
      "The account SID at Twilio, which brings alerts to `sms` and `voice` addresses. Without it they are kept as failed deliveries",
  }),
  WATCHPOST_TWILIO_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning: "Its auth token; required with `WATCHPOST_TWILIO_ACCOUNT`",
  }),
  WATCHPOST_TWILIO_FROM: wholeNumber.optional().meta({
    fallback: "none",
    meaning:
      "The number that texts and calls come from, such as `+15550100`; required with `WATCHPOST_TWILIO_ACCOUNT`",
  }),
  WATCHPOST_TWILIO_URL: httpUrlSetting.prefault("https://api.twilio.com").meta({
    fallback: "`https://api.twilio.com`",
    meaning: "Where its API is",
  }),
  WATCHPOST_X_API_KEY: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "The key of an application at X, which brings alerts to `twitter` addresses such as `@name` as direct messages. Without it they are kept as failed deliveries",
  }),
  WATCHPOST_X_API_SECRET: secretSetting.optional().meta({
    fallback: "none",
    meaning: "Its secret; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_ACCESS_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "The access token of the account that writes, with the right to direct messages; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_ACCESS_SECRET: secretSetting.optional().meta({
    fallback: "none",
    meaning: "Its secret; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_URL: httpUrlSetting.prefault("https://api.x.com").meta({
    fallback: "`https://api.x.com`",
    meaning: "Where its API is",
  }),
  WATCHPOST_MASTODON_URL: httpUrlSetting.optional().meta({
    fallback: "none",
    meaning:
      "The Mastodon server of the account that writes, such as `https://mastodon.example`. It brings alerts to `twitter` addresses such as `@name@server`, of any server; without it they are kept as failed deliveries",
  }),
  WATCHPOST_MASTODON_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "Its access token, with the right `write:statuses`; required with `WATCHPOST_MASTODON_URL`",
  }),
};
