import type { AliasSystem } from "../../domain/heartbeat/heartbeat-alias.ts";

/** An address that the heartbeats of a check had in another system. */
export interface StoredAlias {
  /** A hash of the address. */
  readonly digest: string;
  readonly checkNo: number;
  readonly system: AliasSystem;
  /** How people recognise it. */
  readonly hint: string;
  readonly createdAt: number;
}

export interface AccountAlias extends StoredAlias {
  readonly checkId: string;
}

export interface HeartbeatAliasReads {
  /** Of whichever account. */
  readonly find: (digest: string) => Promise<AccountAlias | undefined>;
  /** The oldest first. */
  readonly listOf: (checkNo: number) => Promise<readonly StoredAlias[]>;
  /** Of an account, in the order of its checks. */
  readonly list: (accountId: string) => Promise<readonly AccountAlias[]>;
}

export interface HeartbeatAliasWrites {
  /** False where a check has it already. */
  readonly insert: (alias: StoredAlias) => Promise<boolean>;
  readonly remove: (digest: string) => Promise<void>;
}
