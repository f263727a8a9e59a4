import { z } from "zod";

import { Secret } from "../kit/crypto/secret.ts";

/** Without a colon, where Basic authentication would cut it. */
export const tokenSetting = z
  .string()
  .regex(/^[!-9;-~]{16,}$/, { error: "must be 16 or more characters without spaces and colons" })
  .transform((text) => new Secret(text));

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: "must be a whole number, such as 6000, or 0" });

const perMinute = (usual: number) => wholeNumber.default(String(usual)).transform(Number);

/** Who may ask, and how often. */
export const accessSettings = {
  WATCHPOST_TOKEN_RATE: perMinute(12_000).meta({
    fallback: "`12000`",
    meaning: "API requests a minute allowed for one token; `0` is no limit",
  }),
  WATCHPOST_ADDRESS_RATE: perMinute(24_000).meta({
    fallback: "`24000`",
    meaning:
      "API requests a minute allowed for one client address (IPv6: one /64 network); `0` is no limit",
  }),
  WATCHPOST_HEARTBEAT_RATE: perMinute(60_000).meta({
    fallback: "`60000`",
    meaning:
      "Heartbeats a minute allowed for one client address (IPv6: one /64 network), besides five for one check; `0` is no limit. Those beyond it are not stored, but keep their checks from becoming stale",
  }),
  WATCHPOST_UNKNOWN_TOKEN_RATE: perMinute(600).meta({
    fallback: "`600`",
    meaning:
      "Requests and heartbeats a minute allowed for one client address whose token does not exist; `0` is no limit. Whatever is sent with a token only in its body counts once for each 16 KiB until that token is found, unless it has less than 4 KiB",
  }),
  WATCHPOST_ADDRESS_CONNECTIONS: wholeNumber.default("256").transform(Number).meta({
    fallback: "`256`",
    meaning:
      "Connections that one client address may hold (IPv6: one /64 network); `0` is no limit. Trusted proxies are not limited. One more closes the one of them that waited longest for a request",
  }),
  WATCHPOST_CONNECTIONS: wholeNumber.transform(Number).optional().meta({
    fallback: "a quarter of the limit of open files, at most `4096`",
    meaning:
      "Connections that all clients together may hold; never more than half of the limit of open files, the rest of which stays free for checks, alerts and the database",
  }),
  WATCHPOST_METRICS_TOKEN: tokenSetting.optional().meta({
    fallback: "none",
    meaning:
      "The token that `/metrics` is read with, as `Authorization: Bearer`. Without it, metrics are for this machine alone",
  }),
};
