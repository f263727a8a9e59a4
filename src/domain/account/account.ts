import type { Check } from "../check.ts";
import { defaultRecheckWait } from "../run/recheck-wait.ts";
import type { Branding } from "./branding.ts";

/** `deleted` is on its way out: nobody reaches it any more, and its records go one after the other. */
export type AccountStatus = "active" | "suspended" | "deleted";

export interface Account {
  readonly id: string;
  /** Undefined on a primary account. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly status: AccountStatus;
  readonly createdAt: number;
  /** An IANA name such as `Europe/Berlin`, or an offset from GMT such as `+05:45`. */
  readonly timeZone: string;
  readonly defaultRegions: readonly string[];
  readonly wantsNews: boolean;
  /** Undefined until it is first set. */
  readonly suppressAll: boolean | undefined;
  /** Whether what the diagnostics of a failing check find is mailed, for every check. */
  readonly autoDiagnostics: boolean;
  /** Seconds between two rechecks of checks that name none of their own. */
  readonly recheckWait: number;
  /** Who is alerted of a check that names nobody, in the form of a check's own `notifications`. */
  readonly defaultNotifications: Check["notifications"];
  /** Undefined where its mails look as they usually do. */
  readonly branding: Branding | undefined;
  /** What the link to the calendar of its maintenances is made with; undefined while it has none. */
  readonly calendarKey: string | undefined;
}

/** Whose share of what is scarce an account uses: its own, or that of the primary account that made it. */
export function primaryIdOf({ id, parentId }: Pick<Account, "id" | "parentId">): string {
  return parentId ?? id;
}

/** An account as it begins, where nobody says otherwise. */
export const accountDefaults = {
  status: "active",
  wantsNews: false,
  suppressAll: undefined,
  autoDiagnostics: false,
  recheckWait: defaultRecheckWait,
  defaultNotifications: [],
  branding: undefined,
  calendarKey: undefined,
} as const satisfies Partial<Account>;
