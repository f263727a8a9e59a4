import { z } from "zod";

import { Secret } from "../kit/crypto/secret.ts";
import { parseHost } from "../kit/net/host.ts";

export const secretSetting = z
  .string()
  .min(1)
  .transform((text) => new Secret(text));

/** Yields the URL without a trailing slash. */
export const httpUrlSetting = z.string().transform((text, context) => {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url !== null && url.href === `${url.origin}${url.pathname}`)
    return url.href.replace(/\/+$/, "");
  context.addIssue(
    "must be a URL that begins with http:// or https://, without credentials, query and fragment",
  );
  return z.NEVER;
});

/** Without a colon, where Basic authentication would cut it. */
export const tokenSetting = z
  .string()
  .regex(/^[!-9;-~]{16,}$/, { error: "must be 16 or more characters without spaces and colons" })
  .transform((text) => new Secret(text));

export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: "must be a whole number, such as 6000, or 0" })
  .transform(Number);

export const wholeNumberOr = (usual: number) => wholeNumber.default(usual);

export const numberFrom = (least: number, most: number, usual: number) =>
  wholeNumber
    .refine((value) => value >= least && value <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .default(usual);

/** Brackets separate an IPv6 address from its port. */
export const hostAndPort = z.string().transform((text, context) => {
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
