import type { IncomingHttpHeaders } from "node:http";

import { codeOf } from "../../../kit/errors.ts";
import type { Clock } from "../../../kit/clock.ts";
import { hashToken } from "../../../kit/crypto/seal.ts";
import type { Operation } from "../../operation.ts";
import { assertAccess, callerOf, resolveScope } from "../auth.ts";
import { sessionCallerOf, type BrowserSessions } from "./session-caller.ts";
import type { Reads } from "../../../store/store.ts";

interface Deps {
  readonly accounts: Reads["accounts"];
  readonly sessions: BrowserSessions;
  readonly clock: Pick<Clock, "now">;
}

interface Asked {
  /** Token of the request; undefined for a session. */
  readonly token: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly customerid: unknown;
  readonly operation: Pick<Operation, "needs" | "allowsDeletedAccount">;
}

/** Returns whether who sent a request may do the same now: sessions end, tokens are revoked, roles change. */
export async function isStillAllowed(
  { accounts, sessions, clock }: Deps,
  { token, headers, customerid, operation }: Asked,
): Promise<boolean> {
  const caller =
    typeof token === "string"
      ? await callerOf(accounts, hashToken(token), clock.now())
      : await sessionCallerOf(sessions, headers);
  if (caller === undefined) return false;
  try {
    const allowsDeleted = operation.allowsDeletedAccount;
    assertAccess(
      await resolveScope(accounts, caller, { customerid, allowsDeleted }),
      operation.needs,
    );
    return true;
  } catch (error) {
    if (codeOf(error) === "forbidden") return false;
    throw error;
  }
}
