import { z } from "zod";

import { Secret } from "../kit/crypto/secret.ts";
import { wholeNumberOr } from "./setting-schemas.ts";

/** Modes of PostgreSQL's own client that encrypt, or explicitly do not. */
const TLS_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** A message about it never repeats it, for it has a password. */
const databaseUrl = z.string().transform((text, context) => {
  const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === "" || url.pathname.length < 2) {
    context.addIssue(
      "must be a URL such as postgres://user:password@db.example.com:5432/watchpost",
    );
    return z.NEVER;
  }
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !TLS_MODES.includes(mode)) {
    context.addIssue(`sslmode must be one of ${TLS_MODES.join(", ")}`);
    return z.NEVER;
  }
  if (mode === "verify-ca" && !url.searchParams.has("sslrootcert")) {
    context.addIssue("sslmode=verify-ca needs sslrootcert, the path of a certificate");
    return z.NEVER;
  }
  return new Secret(text);
});

/** Settings for stored data, except the embedded database's folder. */
export const storeSettings = {
  WATCHPOST_DATABASE_URL: databaseUrl.optional().meta({
    fallback: "the embedded database",
    meaning:
      "A database on PostgreSQL 15 or later, such as `postgres://user:password@db.example.com:5432/watchpost?sslmode=verify-full`, instead of [the embedded one](#postgresql). Its tables are made at the first start. `sslmode` is `disable` (the default), `require`, `verify-ca` or `verify-full`; `sslrootcert` is the path of a certificate, `sslcert` and `sslkey` are those of a certificate of our own and its key",
  }),
  WATCHPOST_DISK_RESERVE_MB: wholeNumberOr(64).meta({
    fallback: "`64`",
    meaning:
      "Space that the embedded database reserves for alarms on a full disk, in MB: at most a quarter of what is free when the reserve is made. `0` reserves none; see [A full disk](#a-full-disk)",
  }),
  WATCHPOST_UPGRADE_BACKUP: z
    .enum(["on", "off"], { error: 'must be "on" or "off"' })
    .default("on")
    .transform((value) => value === "on")
    .meta({
      fallback: "`on`",
      meaning:
        "Before a new version changes the tables of the embedded database, its first start backs it up into the data folder. `off` does without; see [Upgrade](#upgrade)",
    }),
};
