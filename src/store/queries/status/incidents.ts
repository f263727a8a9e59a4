import { sql, type Kysely, type Selectable } from "kysely";

import { isClosed, nextStageAt, type Incident } from "../../../domain/status/incident.ts";
import type { IncidentKey, IncidentReads, IncidentWrites } from "../../status/incidents.ts";
import { toFlag } from "../columns.ts";
import type { Engine } from "../engine.ts";
import { ownedRows } from "../owned-rows.ts";
import type { Database } from "../tables.ts";
import type { IncidentTable } from "./status-tables.ts";

/** As the index has it. */
export const isOpenByOutage = sql<boolean>`incidents.outage_page_id is not null and incidents.is_closed = 0 and incidents.is_automatic = 1`;

interface Deps {
  readonly engine: Engine;
}

export function createIncidents(db: Kysely<Database>, deps: Deps): IncidentReads & IncidentWrites {
  return { ...createIncidentReads(db, deps), ...createClaims(db, deps), ...createWrites(db) };
}

function one(db: Kysely<Database>, { accountId, id }: IncidentKey) {
  return db
    .selectFrom("incidents")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id);
}

function createIncidentReads(db: Kysely<Database>, { engine }: Deps): IncidentReads {
  const ofRange = (accountId: string, { from, limit }: Parameters<IncidentReads["list"]>[1]) =>
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
    async find(accountId, id) {
      const row = await one(db, { accountId, id }).executeTakeFirst();
      return row && fromRow(row);
    },
    list: async (accountId, range) => byStart(await ofRange(accountId, range).execute()),
    listPublished: async (accountId, range) =>
      byStart(await ofRange(accountId, range).where("is_published", "=", 1).execute()),
    listOpenOfOutages: (pageId) =>
      db
        .selectFrom("incidents")
        .select("id")
        .where("outage_page_id", "=", pageId)
        .where(isOpenByOutage)
        .orderBy("seq", "desc")
        .execute(),
    async listDue() {
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

function createClaims(
  db: Kysely<Database>,
  { engine }: Deps,
): Pick<IncidentWrites, "claim" | "dropOldOfOutages" | "lock" | "lockLatestOfOutages"> {
  const ofOutages = (pageId: string) =>
    db
      .selectFrom("incidents")
      .where("outage_page_id", "=", pageId)
      .where("outage_page_id", "is not", null);
  return {
    async lock(accountId, id) {
      const row = await engine.lockRows(one(db, { accountId, id })).executeTakeFirst();
      return row && fromRow(row);
    },
    async claim(key) {
      const row = await engine
        .lockFreeRows(
          one(db, key).select(engine.now().as("now")).where("next_stage_at", "<=", engine.now()),
        )
        .executeTakeFirst();
      return row && { incident: fromRow(row), now: row.now };
    },
    async lockLatestOfOutages(pageId) {
      const latest = ofOutages(pageId).selectAll().orderBy("seq", "desc").limit(1);
      const row = await engine.lockRows(latest).executeTakeFirst();
      return row && fromRow(row);
    },
    async dropOldOfOutages(pageId, kept) {
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

function createWrites(db: Kysely<Database>): Pick<IncidentWrites, "insert" | "remove" | "update"> {
  const rows = ownedRows(db, "incidents");
  return {
    async insert(incident) {
      await db.insertInto("incidents").values(toRow(incident)).execute();
    },
    update: (incident) => rows.update(toRow(incident)),
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
