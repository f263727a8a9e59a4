import type { Generated } from "kysely";

import type { IncidentKind } from "../../../domain/status/incident.ts";
import type { OutageMode, PageAccess } from "../../../domain/status/status-page.ts";
import type { NumericBoolean } from "../columns.ts";
import type { TakenName } from "../../status/status-pages.ts";

export interface StatusTables {
  readonly status_pages: StatusPageTable;
  readonly status_page_names: StatusPageNameTable;
  readonly status_page_outages: StatusPageOutageTable;
  readonly incidents: IncidentTable;
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
