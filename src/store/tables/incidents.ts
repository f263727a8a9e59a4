import { sql, type Kysely, type Selectable, type Generated } from "kysely";

import {
  isClosed,
  nextStageAt,
  type Incident,
  type IncidentKind,
} from "../../domain/status/incident.ts";
import { toFlag, type NumericBoolean } from "./columns.ts";
import type { Engine } from "./engine.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly incidents: IncidentTable;
  }
}

interface IncidentTable {
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

export type IncidentKey = Pick<Incident, "accountId" | "id">;

/** Matches the index expression. */
export const isOpenByOutage = sql<boolean>`incidents.outage_page_id is not null and incidents.is_closed = 0 and incidents.is_automatic = 1`;

interface Range {
  readonly from: number;
  readonly limit: number;
}

interface Deps {
  readonly engine: Engine;
}

export function createIncidentReads(db: Kysely<Database>, { engine }: Deps) {
  const ofRange = (accountId: string, { from, limit }: Range) =>
    db
      .selectFrom("incidents")
      .selectAll()
      .where("account_id", "=", accountId)
      .where((eb) => eb.or([eb("is_closed", "=", 0), eb("starts_at", ">=", from)]))
      .orderBy("is_closed")
      .orderBy("starts_at", "desc")
      .orderBy("seq", "desc")
      .limit(limit);
  const byStart = (rows: readonly Selectable<IncidentTable>[]) =>
    rows.map(fromRow).toSorted((first, second) => second.startsAt - first.startsAt);
  return {
    async find(accountId: string, id: string): Promise<Incident | undefined> {
      const row = await one(db, { accountId, id }).executeTakeFirst();
      return row && fromRow(row);
    },
    /** Lists open incidents and those started since `from`, newest first, up to the limit. */
    list: async (accountId: string, range: Range): Promise<readonly Incident[]> =>
      byStart(await ofRange(accountId, range).execute()),
    /** The same without drafts: what others than the account may see. */
    listPublished: async (accountId: string, range: Range): Promise<readonly Incident[]> =>
      byStart(
        await ofRange(accountId, range) /* guard: drafts of incidents */
          .where("is_published", "=", 1)
          .execute(),
      ),
    /** Ids of those that outages opened on a page, and that are not over and are to end by themselves; the newest first. */
    listOpenOfOutages: (pageId: string): Promise<readonly Pick<Incident, "id">[]> =>
      db
        .selectFrom("incidents")
        .select("id")
        .where("outage_page_id", "=", pageId)
        .where(isOpenByOutage)
        .orderBy("seq", "desc")
        .execute(),
    /** Lists incidents of all accounts with a due automatic stage, by the store's clock. */
    async listDue(): Promise<readonly IncidentKey[]> {
      const rows = await db
        .selectFrom("incidents")
        .select(["account_id", "id"])
        .where("next_stage_at", "<=", engine.now())
        .orderBy("next_stage_at")
        .execute();
      return rows.map(({ account_id, id }) => ({ accountId: account_id, id }));
    },
  };
}

export function createIncidentWrites(db: Kysely<Database>, deps: Deps) {
  return {
    ...createClaims(db, deps),
    ...createWrites(db),
  };
}

function one(db: Kysely<Database>, { accountId, id }: IncidentKey) {
  return db
    .selectFrom("incidents")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id);
}

function createClaims(db: Kysely<Database>, { engine }: Deps) {
  const ofOutages = (pageId: string) =>
    db
      .selectFrom("incidents")
      .where("outage_page_id", "=", pageId)
      .where("outage_page_id", "is not", null);
  return {
    /** The incident, which no other unit changes until this one ends. */
    async lock(accountId: string, id: string): Promise<Incident | undefined> {
      const row = await engine.lockRows(one(db, { accountId, id })).executeTakeFirst();
      return row && fromRow(row);
    },
    /** Claims an incident with a due stage until the transaction ends, with the store's time; undefined if none is due or another transaction claimed it. */
    async claim(
      key: IncidentKey,
    ): Promise<{ readonly incident: Incident; readonly now: number } | undefined> {
      const row = await engine
        .lockFreeRows(
          one(db, key).select(engine.now().as("now")).where("next_stage_at", "<=", engine.now()),
        )
        .executeTakeFirst();
      return row && { incident: fromRow(row), now: row.now };
    },
    /** The newest that an outage opened on the page. */
    async lockLatestOfOutages(pageId: string): Promise<Incident | undefined> {
      const latest = ofOutages(pageId).selectAll().orderBy("seq", "desc").limit(1);
      const row = await engine.lockRows(latest).executeTakeFirst();
      return row && fromRow(row);
    },
    /** Removes closed automatic incidents of a page except the newest `kept`. */
    async dropOldOfOutages(pageId: string, kept: number): Promise<void> {
      const old = ofOutages(pageId)
        .select("seq")
        .where("is_closed", "=", 1)
        .orderBy("seq", "desc")
        .offset(kept)
        .limit(100);
      await db.deleteFrom("incidents").where("seq", "in", old).execute();
    },
  };
}

function createWrites(db: Kysely<Database>) {
  const rows = ownedRows(db, "incidents");
  return {
    /** `saveIncident` alone calls this and `update`: what is posted is posted there. */
    async insert(incident: Incident): Promise<void> {
      await db.insertInto("incidents").values(toRow(incident)).execute();
    },
    update: (incident: Incident): Promise<void> => rows.update(toRow(incident)),
    remove: rows.remove,
  };
}

function toRow(incident: Incident): Omit<Selectable<IncidentTable>, "seq"> {
  const { pageIds, endsAt } = incident;
  return {
    id: incident.id,
    account_id: incident.accountId,
    kind: incident.kind,
    title: incident.title,
    page_ids: pageIds === undefined ? null : JSON.stringify(pageIds),
    check_ids: JSON.stringify(incident.checkIds),
    is_published: toFlag(incident.isPublished),
    is_automatic: toFlag(incident.isAutomatic),
    outage_page_id: incident.outagePageId ?? null,
    next_stage_at: nextStageAt(incident) ?? null,
    is_closed: toFlag(isClosed(incident)),
    starts_at: incident.startsAt,
    ends_at: endsAt ?? null,
    updates: JSON.stringify(incident.updates),
    created_at: incident.createdAt,
    modified_at: incident.modifiedAt,
  };
}

function fromRow(row: Selectable<IncidentTable>): Incident {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    title: row.title,
    isPublished: row.is_published === 1,
    isAutomatic: row.is_automatic === 1,
    outagePageId: row.outage_page_id ?? undefined,
    pageIds: row.page_ids === null ? undefined : JSON.parse(row.page_ids),
    checkIds: JSON.parse(row.check_ids),
    startsAt: row.starts_at,
    endsAt: row.ends_at ?? undefined,
    updates: JSON.parse(row.updates),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}
