import type { NotificationProfile } from "../domain/contact/profile.ts";

export interface ProfileReads {
  readonly find: (accountId: string, id: string) => Promise<NotificationProfile | undefined>;
  /** By age. */
  readonly list: (accountId: string) => Promise<readonly NotificationProfile[]>;
  /** Those of the ids that are profiles of the account. */
  readonly findMany: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<readonly NotificationProfile[]>;
}

export interface ProfileWrites {
  readonly insert: (profile: NotificationProfile) => Promise<void>;
  readonly update: (profile: NotificationProfile) => Promise<void>;
  /** True where there was one. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
