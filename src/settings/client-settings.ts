import { numberFrom, tokenSetting, wholeNumber, wholeNumberOr } from "./setting-schemas.ts";

/** How much clients may ask for. */
export const clientSettings = {
  WATCHPOST_TOKEN_RATE: wholeNumberOr(12_000).meta({
    fallback: "`12000`",
    meaning: "API requests a minute allowed for one token; `0` is no limit",
  }),
  WATCHPOST_ADDRESS_RATE: wholeNumberOr(24_000).meta({
    fallback: "`24000`",
    meaning:
      "API requests a minute allowed for one client address (IPv6: one /64 network); `0` is no limit",
  }),
  WATCHPOST_HEARTBEAT_RATE: wholeNumberOr(60_000).meta({
    fallback: "`60000`",
    meaning:
      "Heartbeats a minute allowed for one client address (IPv6: one /64 network), besides five for one check; `0` is no limit. Those beyond it are not stored, but keep their checks from becoming stale",
  }),
  WATCHPOST_UNKNOWN_TOKEN_RATE: wholeNumberOr(600).meta({
    fallback: "`600`",
    meaning:
      "Requests and heartbeats a minute allowed for one client address whose token does not exist; `0` is no limit. Whatever is sent with a token only in its body counts once for each 16 KiB until that token is found, unless it has less than 4 KiB",
  }),
  WATCHPOST_ADDRESS_CONNECTIONS: wholeNumberOr(256).meta({
    fallback: "`256`",
    meaning:
      "Connections that one client address may hold (IPv6: one /64 network); `0` is no limit. Trusted proxies are not limited. One more closes the one of them that waited longest for a request",
  }),
  WATCHPOST_CONNECTIONS: wholeNumber.optional().meta({
    fallback: "a quarter of the limit of open files, at most `4096`",
    meaning:
      "Connections that all clients together may hold; never more than half of the limit of open files, the rest of which stays free for checks, alerts and the database",
  }),
  WATCHPOST_SIGN_IN_RATE: wholeNumberOr(10).meta({
    fallback: "`10`",
    meaning:
      "Attempts to sign in a minute allowed for one client address (IPv6: one /64 network), and for one mailbox; a browser that has signed in with the mailbox before has as many of its own. `0` is no limit",
  }),
  WATCHPOST_PUBLIC_RATE: wholeNumberOr(3000).meta({
    fallback: "`3000`",
    meaning:
      "Requests a minute allowed for one client address (IPv6: one /64 network) for public reports, badges and status pages; `0` is no limit",
  }),
  WATCHPOST_SESSION_DAYS: numberFrom(1, 365, 30).meta({
    fallback: "`30`",
    meaning: "After how many days a person has to sign in again, at most `365`",
  }),
  WATCHPOST_SESSION_IDLE_HOURS: numberFrom(1, 8760, 72).meta({
    fallback: "`72`",
    meaning: "After how many hours without a request a session ends, at most `8760`",
  }),
  WATCHPOST_METRICS_TOKEN: tokenSetting.optional().meta({
    fallback: "none",
    meaning:
      "The token that `/metrics` is read with, as `Authorization: Bearer`. Without it, metrics are for this machine alone",
  }),
};
