import type { Actor } from "./actor.ts";

/** Who changed what of an account. What it was changed to is not part of it, for it may be secret. */
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
}

/** An entry as it is stored, with its number: later ones have higher numbers. */
export interface StoredAuditEntry extends AuditEntry {
  readonly seq: number;
}
