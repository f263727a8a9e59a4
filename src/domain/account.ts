export type AccountStatus = "active" | "suspended";

export interface Account {
  readonly id: string;
  /** Undefined on a primary account. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly status: AccountStatus;
  readonly createdAt: number;
  /** Hours ahead of GMT; fractions such as 5.75 are real time zones. */
  readonly offsetHours: number;
  readonly defaultRegions: readonly string[];
  readonly wantsNews: boolean;
  readonly suppressAll: boolean;
}
