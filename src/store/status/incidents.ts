import type { Incident } from "../../domain/status/incident.ts";

export interface IncidentReads {
  readonly find: (accountId: string, id: string) => Promise<Incident | undefined>;
  /** Those that are not over, and of the rest those that began from `from` on: the newest first, so many at most. */
  readonly list: (
    accountId: string,
    range: { readonly from: number; readonly limit: number },
  ) => Promise<readonly Incident[]>;
}

export interface IncidentWrites {
  readonly insert: (incident: Incident) => Promise<void>;
  readonly update: (incident: Incident) => Promise<void>;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
