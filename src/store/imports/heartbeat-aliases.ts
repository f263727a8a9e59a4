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

export interface HeartbeatAliasReads {
  /** The checks that have the address, each of another account: at most `most`, those that got it last. */
  readonly listHolders: (digest: string, most: number) => Promise<readonly AccountAlias[]>;
  /** The oldest first. */
  readonly listOf: (checkNo: number) => Promise<readonly StoredAlias[]>;
  /** Of an account, in the order of its checks. */
  readonly list: (accountId: string) => Promise<readonly AccountAlias[]>;
}

export interface HeartbeatAliasWrites {
  /** False if a check of the account has it already. */
  readonly insert: (alias: StoredAlias) => Promise<boolean>;
  readonly remove: (alias: Pick<StoredAlias, "digest" | "accountId">) => Promise<void>;
}
