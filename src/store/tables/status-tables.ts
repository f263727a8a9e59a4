import type { Generated } from "kysely";

import type { IncidentKind } from "../../domain/status/incident.ts";
import type { OutageMode, PageAccess } from "../../domain/status/status-page.ts";
import type { SubscriberKind, SubscriberState } from "../../domain/status/subscriber.ts";
import type { NumericBoolean } from "./columns.ts";
import type { TakenName } from "../status/status-pages.ts";

export interface StatusTables {
  readonly status_pages: StatusPageTable;
  readonly status_page_names: StatusPageNameTable;
  readonly status_page_outages: StatusPageOutageTable;
  readonly incidents: IncidentTable;
  readonly page_subscribers: PageSubscriberTable;
  readonly page_posts: PagePostTable;
  readonly page_messages: PageMessageTable;
}

export interface StatusPageTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly enabled: NumericBoolean;
  readonly access: PageAccess;
  readonly password: string | null;
  readonly title: string;
  /** JSON. */
  readonly settings: string;
  /** JSON. */
  readonly sections: string;
  readonly logo: string | null;
  readonly outage_incidents: OutageMode;
  readonly created_at: number;
  readonly modified_at: number;
}

export interface IncidentTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly kind: IncidentKind;
  readonly title: string;
  /** JSON; null for all pages of the account. */
  readonly page_ids: string | null;
  /** JSON. */
  readonly check_ids: string;
  readonly is_published: NumericBoolean;
  readonly is_automatic: NumericBoolean;
  readonly outage_page_id: string | null;
  readonly next_stage_at: number | null;
  readonly is_closed: NumericBoolean;
  readonly starts_at: number;
  readonly ends_at: number | null;
  /** JSON. */
  readonly updates: string;
  readonly created_at: number;
  readonly modified_at: number;
}

export interface StatusPageNameTable {
  readonly kind: TakenName;
  readonly name: string;
  readonly page_id: string;
}

export interface StatusPageOutageTable {
  readonly page_id: string;
  readonly check_id: string;
  readonly outage: string;
  readonly incident_id: string;
}

export interface PageSubscriberTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly page_id: string;
  readonly kind: SubscriberKind;
  readonly digest: string;
  /** The address; null of one that has ended. */
  readonly sealed: Uint8Array | null;
  readonly state: SubscriberState;
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly ends_at: number | null;
}

export interface PagePostTable {
  readonly id: string;
  readonly account_id: string;
  readonly primary_id: string;
  readonly page_id: string;
  readonly incident_id: string;
  readonly from_update: number;
  readonly to_update: number;
  readonly created_at: number;
  readonly due_at: number;
  readonly is_begun: NumericBoolean;
  readonly is_spread: NumericBoolean;
  readonly spread_to: number;
}

export interface PageMessageTable {
  readonly seq: Generated<number>;
  readonly post_id: string | null;
  readonly subscriber_id: string;
  readonly account_id: string;
  readonly primary_id: string;
  readonly kind: SubscriberKind;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_attempt_at: number;
}
