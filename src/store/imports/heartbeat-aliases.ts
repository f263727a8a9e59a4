import type { AliasSystem } from "../../domain/heartbeat/heartbeat-alias.ts";

/** An address that the heartbeats of a check had in another system. */
export interface StoredAlias {
  /** A hash of the address. */
  readonly digest: string;
  /** That of the check. */
  readonly accountId: string;
  readonly checkNo: number;
  readonly system: AliasSystem;
  /** How people recognise it. */
  readonly hint: string;
  readonly createdAt: number;
}

export interface AccountAlias extends StoredAlias {
  readonly checkId: string;
}
