import { z } from "zod";

import { Secret } from "../kit/crypto/secret.ts";

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
