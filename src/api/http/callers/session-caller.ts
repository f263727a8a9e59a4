import type { IncomingHttpHeaders } from "node:http";

import { handleOf } from "../../../domain/account/token.ts";
import { Forbidden } from "../../../kit/errors.ts";
import { isFromElsewhere, isSameOrigin } from "../../../kit/http/same-origin.ts";
import type { DeviceCookie } from "../../../kit/http/device-cookie.ts";
import type { SessionCookie } from "../../../kit/http/session-cookie.ts";
import type { SessionAdmin } from "../../../store/transactions/session-admin.ts";
import type { Operation } from "../../operation.ts";
import type { Caller } from "../auth.ts";

/** How browsers show who is signed in. */
export interface BrowserSessions {
  readonly admin: SessionAdmin;
  readonly cookie: SessionCookie;
  /** Browsers in which somebody signed in before. */
  readonly devices: DeviceCookie;
  /** The public address of this installation. */
  readonly url: string;
}

export interface SessionCaller extends Caller {
  readonly digest: string;
}

/** Finds the signed-in user; undefined if there is none. */
export async function sessionCallerOf(
  { admin, cookie }: BrowserSessions,
  headers: IncomingHttpHeaders,
): Promise<SessionCaller | undefined> {
  const secret = cookie.read(headers.cookie);
  const found = secret === undefined ? undefined : await admin.find(secret);
  if (found === undefined) return undefined;
  const { account, contact, session } = found;
  const { role } = contact;
  if (role === "notify") return undefined;
  const actor = {
    kind: "session",
    id: handleOf(session),
    name: contact.name,
    contactId: contact.id,
  } as const;
  const { digest } = session;
  return { account, compatibility: "standard", access: role, actor, digest };
}

/** Rejects requests that another site, or a link, made a signed-in user's browser send. */
export function assertSentByPage(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  { effect }: Pick<Operation, "effect">,
  { url }: Pick<BrowserSessions, "url">,
): void {
  const isRead = method === "GET" || method === "HEAD";
  // guard: sessions by GET
  if (effect === "write" && isRead)
    throw new Forbidden("a session changes nothing by GET: send POST, PUT or DELETE");
  // guard: requests of other sites
  if (isRead ? isFromElsewhere(headers) : !isSameOrigin(headers, url))
    throw new Forbidden("a session takes requests from pages of this installation alone");
}
