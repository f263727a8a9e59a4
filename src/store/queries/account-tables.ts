import type { NumericBoolean } from "./columns.ts";

export interface AccountUsageTable {
  readonly account_id: string;
  readonly kind: string;
  /** What the account keeps of the kind, with its subaccounts; kept by the database. */
  readonly used: number;
}

/** What is left of a switch of all checks of an account. */
export interface AccountSwitchTable {
  readonly account_id: string;
  readonly at: number;
  /** Checks up to this number are switched. */
  readonly after_no: number;
  /** Whether checks are disabled or enabled; null where only the account's status has changed. */
  readonly disable: NumericBoolean | null;
  /** The newest check that this is about. */
  readonly disable_up_to: number | null;
}
