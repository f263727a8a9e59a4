import type { Incident } from "../../domain/status/incident.ts";

export type IncidentKey = Pick<Incident, "accountId" | "id">;

interface Range {
  readonly from: number;
  readonly limit: number;
}

export interface IncidentReads {
  readonly find: (accountId: string, id: string) => Promise<Incident | undefined>;
  /** Those that are not over, and of the rest those that began from `from` on: the newest first, so many at most. */
  readonly list: (accountId: string, range: Range) => Promise<readonly Incident[]>;
  /** The same without drafts: what others than the account may see. */
  readonly listPublished: (accountId: string, range: Range) => Promise<readonly Incident[]>;
  /** Ids of those that outages opened on a page, and that are not over and are to end by themselves; the newest first. */
  readonly listOpenOfOutages: (pageId: string) => Promise<readonly Pick<Incident, "id">[]>;
  /** Those of all accounts of which a stage is due by itself, by the store's clock. */
  readonly listDue: () => Promise<readonly IncidentKey[]>;
}

export interface IncidentWrites {
  /** The incident, which no other unit changes until this one ends. */
  readonly lock: (accountId: string, id: string) => Promise<Incident | undefined>;
  /** Takes one of which a stage is due, with the time it is by the store's clock, until the unit ends; undefined where none is due, or another unit has taken it. */
  readonly claim: (
    key: IncidentKey,
  ) => Promise<{ readonly incident: Incident; readonly now: number } | undefined>;
  /** The newest that an outage opened on the page. */
  readonly lockLatestOfOutages: (pageId: string) => Promise<Incident | undefined>;
  /** Removes those of a page that outages opened and that are over, but for the newest so many. */
  readonly dropOldOfOutages: (pageId: string, kept: number) => Promise<void>;
  /** `saveIncident` alone calls this and `update`: what is posted is posted there. */
  readonly insert: (incident: Incident) => Promise<void>;
  readonly update: (incident: Incident) => Promise<void>;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
