import type { Kysely, Selectable } from "kysely";

import { isClosed } from "../../../domain/status/incident.ts";
import type { Incident } from "../../../domain/status/incident.ts";
import type { IncidentReads, IncidentWrites } from "../../status/incidents.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../tables.ts";
import type { IncidentTable } from "./status-tables.ts";

export function createIncidents(db: Kysely<Database>): IncidentReads & IncidentWrites {
  const ofAccount = (accountId: string) =>
    db.selectFrom("incidents").selectAll().where("account_id", "=", accountId);
  return {
    async find(accountId, id) {
      const row = await ofAccount(accountId).where("id", "=", id).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(accountId, { from, limit }) {
      const rows = await ofAccount(accountId)
        .where((eb) => eb.or([eb("is_closed", "=", 0), eb("starts_at", ">=", from)]))
        .orderBy("is_closed")
        .orderBy("starts_at", "desc")
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(fromRow).toSorted((one, other) => other.startsAt - one.startsAt);
    },
    async insert(incident) {
      await db.insertInto("incidents").values(toRow(incident)).execute();
    },
    async update(incident) {
      const { id, account_id: accountId, created_at: _created, ...changeable } = toRow(incident);
      await db
        .updateTable("incidents")
        .set(changeable)
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
    },
    async remove(accountId, id) {
      const removed = await db
        .deleteFrom("incidents")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
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
    pageIds: row.page_ids === null ? undefined : JSON.parse(row.page_ids),
    startsAt: row.starts_at,
    endsAt: row.ends_at ?? undefined,
    updates: JSON.parse(row.updates),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}
