/** What of the history of a check was taken over from another system. */
export interface ImportedHistory {
  readonly checkNo: number;
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  /** How many it has. */
  readonly spans: number;
  readonly createdAt: number;
}

export interface AccountHistory extends ImportedHistory {
  readonly checkId: string;
}
