import type { Usage } from "../domain/account/limits.ts";

export interface UsageReads {
  /** What an account keeps, with its subaccounts. In a unit that added to it nobody else can change it before that ends. */
  readonly of: (accountId: string) => Promise<Usage>;
  /** Of each kind the most that any account keeps. */
  readonly most: () => Promise<Usage>;
}
