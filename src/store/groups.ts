import type { ContactGroup } from "../domain/contact/group.ts";

export interface GroupReads {
  readonly find: (accountId: string, id: string) => Promise<ContactGroup | undefined>;
  /** By age. */
  readonly list: (accountId: string) => Promise<readonly ContactGroup[]>;
  /** Those of the ids that are groups of the account. */
  readonly findMany: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<readonly ContactGroup[]>;
}

export interface GroupWrites {
  readonly insert: (group: ContactGroup) => Promise<void>;
  readonly update: (group: ContactGroup) => Promise<void>;
  /** True where there was one. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
