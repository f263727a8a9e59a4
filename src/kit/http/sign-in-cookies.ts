import type { DeviceCookie } from "./device-cookie.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface SignedIn {
  /** Of the session. */
  readonly secret: string;
  readonly maxMs: number;
  /** With which somebody signed in. */
  readonly mailbox: string | undefined;
  /** The header Cookie. */
  readonly sent: string | undefined;
}

/** The cookie of a new session, and one by which the browser is known when it signs in again. */
export function signInCookies(
  { cookie, devices }: { readonly cookie: SessionCookie; readonly devices: DeviceCookie },
  { secret, maxMs, mailbox, sent }: SignedIn,
): readonly string[] {
  const own = cookie.write(secret, maxMs);
  return mailbox === undefined ? [own] : [own, devices.write(sent, mailbox.toLowerCase())];
}
