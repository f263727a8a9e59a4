import type {
  ConfigurationSummary,
  ManagedConfiguration,
} from "../domain/account/managed-configuration.ts";

export interface ConfigurationReads {
  readonly find: (accountId: string, id: string) => Promise<ManagedConfiguration | undefined>;
  readonly findByName: (
    accountId: string,
    name: string,
  ) => Promise<ManagedConfiguration | undefined>;
  /** By age. */
  readonly list: (accountId: string) => Promise<readonly ConfigurationSummary[]>;
}

export interface ConfigurationWrites {
  readonly insert: (configuration: ManagedConfiguration) => Promise<void>;
  readonly update: (configuration: ManagedConfiguration) => Promise<void>;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
