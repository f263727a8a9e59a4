import type { Check } from "../check.ts";
import { defaultRecheckWait } from "../run/recheck-wait.ts";
import type { Branding } from "./branding.ts";

/** `deleted` accounts are inaccessible, and their records are removed step by step. */
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
  /** Default seconds between two rechecks. */
  readonly recheckWait: number;
  /** Recipients of checks that name none, in the format of a check's `notifications`. */
  readonly defaultNotifications: Check["notifications"];
  /** Undefined if its mails look as usual. */
  readonly branding: Branding | undefined;
  /** Secret of the link to the account's maintenance calendar; undefined if there is no link. */
  readonly calendarKey: string | undefined;
}

/** Returns the account whose share of limited resources this account uses: itself, or the primary account it belongs to. */
export function primaryIdOf({ id, parentId }: Pick<Account, "id" | "parentId">): string {
  return parentId ?? id;
}

/** Default values of a new account. */
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
