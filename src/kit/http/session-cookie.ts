import { cookieValues } from "./cookie-header.ts";

/** The cookie that holds the secret of a session: scripts cannot read it, and no request that another site causes carries it. */
export interface SessionCookie {
  /** The secret in the header Cookie. */
  readonly read: (header: string | undefined) => string | undefined;
  /** Returns the header Set-Cookie. */
  readonly write: (secret: string, maxAgeMs: number) => string;
  /** Has the browser forget it. */
  readonly clear: () => string;
}

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** With TLS, the prefix `__Host-` prevents subdomains and intermediaries from setting it (RFC 6265bis, section 4.1.3.2). */
export function createSessionCookie({ isSecure }: { readonly isSecure: boolean }): SessionCookie {
  const name = isSecure ? "__Host-watchpost-session" : "watchpost-session";
  // guard: attributes of cookies = it.replace("; HttpOnly; SameSite=Strict", "")
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read: (header) => cookieValues(header, name).find((value) => SECRET.test(value)),
    write: (secret, maxAgeMs) =>
      `${name}=${secret}; Max-Age=${Math.floor(maxAgeMs / 1000)}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
