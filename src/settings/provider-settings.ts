import { z } from "zod";

import { secretSetting, httpUrlSetting } from "./setting-schemas.ts";

const twilioAccount = z
  .string()
  .regex(/^AC[\da-f]{32}$/i, { error: "must be AC and 32 hexadecimal digits" });

const wholeNumber = z.string().regex(/^\+[1-9]\d{4,14}$/, {
  error: "must be a number with its country code, such as +15550100",
});

/** The settings of the providers of texts, calls and direct messages. */
export const providerSettings = {
  WATCHPOST_TWILIO_ACCOUNT: twilioAccount.optional().meta({
    fallback: "none",
    meaning:
      "The account SID at Twilio, for alerts to `sms` and `voice` addresses. Without it, they are recorded as failed",
  }),
  WATCHPOST_TWILIO_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning: "The auth token of that account; required with `WATCHPOST_TWILIO_ACCOUNT`",
  }),
  WATCHPOST_TWILIO_FROM: wholeNumber.optional().meta({
    fallback: "none",
    meaning:
      "The number that texts and calls come from, such as `+15550100`; required with `WATCHPOST_TWILIO_ACCOUNT`",
  }),
  WATCHPOST_TWILIO_URL: httpUrlSetting.prefault("https://api.twilio.com").meta({
    fallback: "`https://api.twilio.com`",
    meaning: "The base URL of its API",
  }),
  WATCHPOST_X_API_KEY: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "The key of your application at X, for alerts as direct messages to `twitter` addresses such as `@name`. Without it, they are recorded as failed",
  }),
  WATCHPOST_X_API_SECRET: secretSetting.optional().meta({
    fallback: "none",
    meaning: "The secret of that key or token; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_ACCESS_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "The access token of the sending account, with permission for direct messages; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_ACCESS_SECRET: secretSetting.optional().meta({
    fallback: "none",
    meaning: "The secret of that key or token; required with `WATCHPOST_X_API_KEY`",
  }),
  WATCHPOST_X_URL: httpUrlSetting.prefault("https://api.x.com").meta({
    fallback: "`https://api.x.com`",
    meaning: "The base URL of its API",
  }),
  WATCHPOST_MASTODON_URL: httpUrlSetting.optional().meta({
    fallback: "none",
    meaning:
      "The Mastodon server of the sending account, such as `https://mastodon.example`, for alerts to `twitter` addresses such as `@name@server` on any server. Without it, they are recorded as failed",
  }),
  WATCHPOST_MASTODON_TOKEN: secretSetting.optional().meta({
    fallback: "none",
    meaning:
      "The access token of the sending account, with the scope `write:statuses`; required with `WATCHPOST_MASTODON_URL`",
  }),
};
