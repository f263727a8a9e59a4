import { z } from "zod";

import { secretSetting } from "./setting-schemas.ts";

const MAX_LABEL_LENGTH = 60;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** As it is written: a slash at its end is part of the name of an issuer. */
const issuer = z.string().refine(isIssuer, {
  error:
    "must be the URL of the issuer as its provider writes it, with https:// unless it is on this machine, without credentials, query and fragment",
});

const label = z
  .string()
  .regex(new RegExp(String.raw`^[^\p{C}]{1,${MAX_LABEL_LENGTH}}$`, "u"), {
    error: `must be a text of 1 to ${MAX_LABEL_LENGTH} characters`,
  })
  .default("Sign in with your organization");

/** Settings for sign-in without a local password. */
export const oidcSettings = {
  WATCHPOST_OIDC_ISSUER: issuer.optional().meta({
    fallback: "none",
    meaning:
      "The provider of OpenID Connect by which people may sign in beside their password, such as `https://id.example.com/realms/staff`. See [operating.md](#sign-in-by-openid-connect)",
  }),
  WATCHPOST_OIDC_CLIENT_ID: z.string().min(1).max(500).optional().meta({
    fallback: "none",
    meaning:
      "The id under which this installation is known to the provider; required with `WATCHPOST_OIDC_ISSUER`",
  }),
  WATCHPOST_OIDC_CLIENT_SECRET: secretSetting.optional().meta({
    fallback: "none",
    meaning: "The secret of that client; required with `WATCHPOST_OIDC_ISSUER`",
  }),
  WATCHPOST_OIDC_LABEL: label.meta({
    fallback: "`Sign in with your organization`",
    meaning: "The text of the button that leads to the provider",
  }),
};

function isIssuer(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.href !== `${url.origin}${url.pathname}`) return false;
  return url.protocol === "https:" || LOOPBACK.test(url.hostname);
}
