import { sql, type Kysely } from "kysely";

import type {
  WatchedCheck,
  WatchedState,
  HandledOutage,
} from "../../domain/status/page-outages.ts";
import type { StatusPage } from "../../domain/status/status-page.ts";
import { checksInMaintenance } from "./checks/maintenance-checks.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";
import { isOpenByOutage } from "./incidents.ts";

declare module "./database.ts" {
  interface Database {
    readonly status_page_outages: StatusPageOutageTable;
  }
}

interface StatusPageOutageTable {
  readonly page_id: string;
  readonly check_id: string;
  readonly outage: string;
  readonly incident_id: string;
}

export type PageKey = Pick<StatusPage, "accountId" | "id">;

/** Matches the index expressions: a bound value would prevent their use. */
const isDownSpan = sql<boolean>`spans.end_at is null and spans.kind = 'down'`;
const isOn = sql<boolean>`status_pages.outage_incidents <> 'off'`;

export function createPageOutageReads(db: Kysely<Database>) {
  const active = db.selectFrom("accounts").select("id").where("status", "=", "active");
  const pages = db
    .selectFrom("status_pages")
    .select(["status_pages.account_id", "status_pages.id"])
    .where("status_pages.account_id", "in", active);
  const withOutages = db
    .selectFrom("spans")
    .innerJoin("checks", "checks.no", "spans.check_no")
    .select("checks.account_id")
    .where(isDownSpan);
  const ofOpenIncidents = db
    .selectFrom("incidents")
    .select("incidents.outage_page_id")
    .where(isOpenByOutage);
  return {
    /** The pages, of all active accounts, on which an outage may have something begin or end. */
    async listToFollow(): Promise<readonly PageKey[]> {
      const rows = await pages
        .where(isOn)
        .where("status_pages.enabled", "=", 1)
        .where("status_pages.account_id", "in", withOutages)
        .union(
          pages.where(
            "status_pages.id",
            "in",
            db.selectFrom("status_page_outages").select("page_id"),
          ),
        )
        .union(pages.where("status_pages.id", "in", ofOpenIncidents.$castTo<{ id: string }>()))
        .execute();
      return rows.map(({ account_id, id }) => ({ accountId: account_id, id }));
    },
    async handled(pageId: string): Promise<readonly HandledOutage[]> {
      const rows = await db
        .selectFrom("status_page_outages")
        .select(["check_id", "outage", "incident_id"])
        .where("page_id", "=", pageId)
        .orderBy("check_id")
        .execute();
      return rows.map(({ check_id, outage, incident_id }) => ({
        checkId: check_id,
        outage,
        incidentId: incident_id,
      }));
    },
    /** How these checks of an account are, by id. */
    async watch(
      accountId: string,
      checkIds: readonly string[],
    ): Promise<ReadonlyMap<string, WatchedCheck>> {
      if (checkIds.length === 0) return new Map();
      const rows = await db
        .selectFrom("checks")
        .innerJoin("check_states", "check_states.check_no", "checks.no")
        .leftJoin("spans", (join) => join.onRef("spans.check_no", "=", "checks.no").on(isDownSpan))
        .select(["checks.id", "checks.enabled", "checks.disabled_with_all"])
        .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("in_maintenance"))
        .select(["check_states.state", "check_states.outage", "spans.start_at as down_since"])
        .where("checks.account_id", "=", accountId)
        .where("checks.id", "in", checkIds)
        .execute();
      return new Map(rows.map((row) => [row.id, watchedFrom(row)]));
    },
  };
}

export function createPageOutageWrites(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
) {
  return {
    /**
     * Claims a page and returns the store's time; no other process updates its outages until the transaction ends. Undefined if it is gone, or another
     * transaction has claimed it.
     */
    async claim({ accountId, id }: PageKey): Promise<number | undefined> {
      const row = await engine
        .lockFreeRows(
          db
            .selectFrom("status_pages")
            .select(engine.now().as("now"))
            .where("account_id", "=", accountId)
            .where("id", "=", id),
        )
        .executeTakeFirst();
      return row?.now;
    },
    async add(pageId: string, outages: readonly HandledOutage[]): Promise<void> {
      if (outages.length === 0) return;
      const rows = outages.map(({ checkId, outage, incidentId }) => ({
        page_id: pageId,
        check_id: checkId,
        outage,
        incident_id: incidentId,
      }));
      await db.insertInto("status_page_outages").values(rows).execute();
    },
    async remove(pageId: string, checkIds: readonly string[]): Promise<void> {
      if (checkIds.length === 0) return;
      await db
        .deleteFrom("status_page_outages")
        .where("page_id", "=", pageId)
        .where("check_id", "in", checkIds)
        .execute();
    },
  };
}

interface CheckRow {
  readonly id: string;
  readonly enabled: number;
  readonly disabled_with_all: number;
  readonly in_maintenance: unknown;
  readonly state: string | null;
  readonly outage: string | null;
  readonly down_since: number | null;
}

function watchedFrom(row: CheckRow): WatchedCheck {
  const { id: checkId, outage, down_since: since } = row;
  const state = watchedState(row);
  return state === "down" && outage !== null && since !== null
    ? { checkId, state, outage: { id: outage, since } }
    : { checkId, state };
}

function watchedState(row: CheckRow): WatchedState {
  if (row.in_maintenance) return "held";
  if (row.enabled !== 1 || row.disabled_with_all === 1) return "off";
  if (row.state === "passing") return "up";
  if (row.state !== "failing") return "off";
  // After it was off, and before its first result.
  return row.down_since === null ? "held" : "down";
}
