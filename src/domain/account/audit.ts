import type { Actor } from "./actor.ts";

export type AuditedValue = string | number | boolean | readonly string[];

/** A field that has another value than before. Both values are missing of one whose values may be secret. */
export interface FieldChange {
  readonly field: string;
  /** Missing where it had none. */
  readonly before?: AuditedValue;
  /** Missing where it has none any more. */
  readonly after?: AuditedValue;
}

/** Who changed what of an account. */
export interface AuditEntry {
  readonly accountId: string;
  readonly at: number;
  /** Undefined for the operator of the installation, by its command line. */
  readonly actor: Actor | undefined;
  /** The address of the client; empty on the machine itself. */
  readonly client: string;
  /** Such as `PUT checks`. */
  readonly operation: string;
  /** Undefined where it is about the account as a whole. */
  readonly recordId: string | undefined;
  /** The names of the parameters that were sent. */
  readonly fields: readonly string[];
  /** What differs since; undefined of what was not the change of a record. */
  readonly changes?: readonly FieldChange[];
}

/** An entry as it is stored, with its number: later ones have higher numbers. */
export interface StoredAuditEntry extends AuditEntry {
  readonly seq: number;
}
