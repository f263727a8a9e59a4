import type { ChannelDeps } from "../channels/registry.ts";
import type { Config } from "./config.ts";

/** The providers of texts, calls and direct messages that are configured. */
export function providerConfig(config: Config): Pick<ChannelDeps, "twilio" | "x" | "mastodon"> {
  return { twilio: twilioOf(config), x: xOf(config), mastodon: mastodonOf(config) };
}

function twilioOf({
  WATCHPOST_TWILIO_ACCOUNT: account,
  WATCHPOST_TWILIO_TOKEN: token,
  WATCHPOST_TWILIO_FROM: from,
  WATCHPOST_TWILIO_URL: url,
}: Config): ChannelDeps["twilio"] {
  const isSet = account !== undefined && token !== undefined && from !== undefined;
  return isSet ? { account, token, from, url } : undefined;
}

function xOf({
  WATCHPOST_X_API_KEY: apiKey,
  WATCHPOST_X_API_SECRET: apiSecret,
  WATCHPOST_X_ACCESS_TOKEN: accessToken,
  WATCHPOST_X_ACCESS_SECRET: accessSecret,
  WATCHPOST_X_URL: url,
}: Config): ChannelDeps["x"] {
  const isSet =
    apiKey !== undefined &&
    apiSecret !== undefined &&
    accessToken !== undefined &&
    accessSecret !== undefined;
  return isSet ? { apiKey, apiSecret, accessToken, accessSecret, url } : undefined;
}

function mastodonOf({
  WATCHPOST_MASTODON_URL: url,
  WATCHPOST_MASTODON_TOKEN: token,
}: Config): ChannelDeps["mastodon"] {
  return url !== undefined && token !== undefined ? { url, token } : undefined;
}
