import type { Actor } from "./actor.ts";

export type AuditedValue = string | number | boolean | readonly string[];

/** A field that has another value than before. Both values are missing of one whose values may be secret. */
export interface FieldChange {
  readonly field: string;
  /** Missing if it had no value. */
  readonly before?: AuditedValue;
  /** Missing if it has no value any more. */
  readonly after?: AuditedValue;
}

/** Entry of an account's audit log. */
export interface AuditEntry {
  readonly accountId: string;
  readonly at: number;
  /** Undefined for the operator of the installation, by its command line. */
  readonly actor: Actor | undefined;
  /** The address of the client; empty on the machine itself. */
  readonly client: string;
  /** Such as `PUT checks`. */
  readonly operation: string;
  /** Undefined if the entry concerns the whole account. */
  readonly recordId: string | undefined;
  /** The names of the parameters that were sent. */
  readonly fields: readonly string[];
  /** Changed fields; undefined if the request did not change a record. */
  readonly changes?: readonly FieldChange[];
}

/** An entry as it is stored, with its number: later ones have higher numbers. */
export interface StoredAuditEntry extends AuditEntry {
  readonly seq: number;
}
