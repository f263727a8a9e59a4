import { createHmac } from "node:crypto";

import type { Secret } from "../../kit/crypto/secret.ts";

/** The four keys of OAuth 1.0a: of the application, and of the user in whose name it acts. They do not expire. */
export interface OauthKeys {
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  readonly accessToken: Secret;
  readonly accessSecret: Secret;
}

/** The Authorization header of a request whose body is no form (RFC 5849, 3). `once` makes it another than any before. */
export function oauthHeader(
  { method, url }: { readonly method: string; readonly url: URL },
  { apiKey, apiSecret, accessToken, accessSecret }: OauthKeys,
  { now, once }: { readonly now: number; readonly once: string },
): string {
  const oauth = {
    oauth_consumer_key: apiKey.reveal(),
    oauth_nonce: once,
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_token: accessToken.reveal(),
    oauth_version: "1.0",
  };
  // In the order of names, then of values: a space comes before all that is left in them.
  const parameters = [...url.searchParams, ...Object.entries(oauth)]
    .map((pair) => pair.map(encoded).join(" "))
    .toSorted()
    .map((pair) => pair.replace(" ", "="))
    .join("&");
  const base = [method, `${url.origin}${url.pathname}`, parameters].map(encoded).join("&");
  const key = [apiSecret, accessSecret].map((secret) => encoded(secret.reveal())).join("&");
  const signature = createHmac("sha1", key).update(base).digest("base64");
  const fields = Object.entries({ ...oauth, oauth_signature: signature });
  return `OAuth ${fields.map(([name, value]) => `${name}="${encoded(value)}"`).join(", ")}`;
}

/** RFC 3986, 2.3: only letters, digits and `-._~` stay. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
