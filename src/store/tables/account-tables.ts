import type { Generated } from "kysely";

import type { Actor } from "../../domain/account/actor.ts";
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

export interface SessionTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly ends_at: number;
  readonly client: string;
  readonly agent: string;
}

export interface SignInLinkTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly ends_at: number;
}

export interface TotpFactorTable {
  readonly contact_id: string;
  readonly account_id: string;
  /** The secret. */
  readonly sealed: Uint8Array;
  readonly created_at: number;
  /** Null until a code has confirmed it. */
  readonly confirmed_at: number | null;
  readonly last_step: number;
  readonly failures: number;
  readonly failed_at: number;
}

export interface PasskeyTable {
  readonly id: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly label: string;
  readonly public_key: Uint8Array;
  readonly counter: number;
  /** JSON. */
  readonly transports: string;
  readonly created_at: number;
  readonly used_at: number | null;
}

export interface RecoveryCodeTable {
  readonly contact_id: string;
  readonly digest: string;
  readonly account_id: string;
}

export interface PendingSignInTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly ends_at: number;
}

export interface ConfigurationTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  /** How many records it has. */
  readonly size: number;
  /** JSON. */
  readonly records: string;
  readonly created_at: number;
  readonly modified_at: number;
}

export interface AuditTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly at: number;
  /** Null for the operator of the installation. */
  readonly actor_kind: Actor["kind"] | null;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly contact_id: string | null;
  readonly client: string;
  readonly operation: string;
  readonly record_id: string | null;
  /** JSON. */
  readonly fields: string;
  /** JSON; null where the values of the fields were not kept. */
  readonly changes: Generated<string | null>;
}
