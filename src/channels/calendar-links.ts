import { createHmac } from "node:crypto";

import type { Account } from "../domain/account/account.ts";
import { constantTimeEquals, type Sealer } from "../kit/crypto/seal.ts";

export const calendarPath = "/maintenance.ics";

type LinkedAccount = Pick<Account, "id" | "calendarKey">;

/** Links to the calendar of an account's maintenances, for programs that have no API token. The key of the account makes it: with another key the link is of no use any more. */
export interface CalendarLinks {
  /** Undefined if the account has no key. */
  readonly linkOf: (account: LinkedAccount) => string | undefined;
  /** The id of the account that a link names, whether or not it is ours. */
  readonly accountIn: (query: URLSearchParams) => string;
  /** Whether the link is the one that the account has now. */
  readonly isLinkOf: (query: URLSearchParams, account: LinkedAccount | undefined) => boolean;
}

export function createCalendarLinks({
  sealer,
  url,
}: {
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** The public address of this installation. */
  readonly url: string;
}): CalendarLinks {
  const key = sealer.deriveKey("maintenance calendar");
  const proofOf = ({ id, calendarKey }: LinkedAccount): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([id, calendarKey ?? null]))
      .digest("base64url");
  return {
    linkOf(account) {
      if (account.calendarKey === undefined) return undefined;
      const link = new URL(url);
      link.pathname = link.pathname.replace(/\/*$/, calendarPath);
      const parameters = { account: account.id, proof: proofOf(account) };
      link.search = new URLSearchParams(parameters).toString();
      return link.href;
    },
    accountIn: (query) => query.get("account") ?? "",
    isLinkOf(query, account) {
      // The proof is compared all the same, so that the timing does not show which accounts exist.
      const expected = proofOf(account ?? { id: "", calendarKey: undefined });
      const isEqual = constantTimeEquals(query.get("proof") ?? "", expected);
      // guard: proof of a calendar = right
      return isEqual && account?.calendarKey !== undefined;
    },
  };
}
