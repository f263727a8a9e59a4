import { sql, type Kysely } from "kysely";

import { startOfDay } from "../results/packing.ts";
import type { EnginePurge } from "../retention/purge.ts";
import type { PurgeSource } from "../retention/purge-rounds.ts";
import type { Database } from "../tables/database.ts";
import { withOwnTables, type LaneTable } from "./dialect.ts";
import type { PartitionUpkeep } from "./partitions/partition-upkeep.ts";

const LANES_A_ROUND = 1000;

type LaneKey = Pick<LaneTable, "contact_id" | "address_id">;

/** Purges results by dropping whole partitions, and lanes whose address is gone. */
export function createPostgresPurge(
  db: Kysely<Database>,
  partitions: Pick<PartitionUpkeep, "expired">,
): EnginePurge {
  /** Lanes that were unused a round ago: a unit that used one of them then has ended since. */
  let unused: readonly LaneKey[] = [];
  let after: LaneKey = { contact_id: "", address_id: "" };
  return {
    resultsBefore(at) {
      partitions.expired(at);
      return [oldStrays(startOfDay(at))];
    },
    async resultsOfCheck(unit, checkNo, limit) {
      const deleted = await deleteOfCheck(unit, { table: "results", checkNo, limit });
      if (deleted === limit) return limit;
      const rest = { table: "stray_results", checkNo, limit: limit - deleted } as const;
      return deleted + (await deleteOfCheck(unit, rest));
    },
    async others() {
      const purgeable = unused;
      const page = await withOwnTables(db)
        .selectFrom("lanes")
        .select(["contact_id", "address_id"])
        .where(sql<boolean>`(contact_id, address_id) > (${after.contact_id}, ${after.address_id})`)
        .orderBy("contact_id")
        .orderBy("address_id")
        .limit(LANES_A_ROUND)
        .execute();
      after = (page.length === LANES_A_ROUND && page.at(-1)) || { contact_id: "", address_id: "" };
      unused = await unusedOf(db, page);
      return purgeable.length === 0 ? [] : [unusedLanes(purgeable)];
    },
  };
}

interface RowsOfCheck {
  readonly table: "results" | "stray_results";
  readonly checkNo: number;
  readonly limit: number;
}

/** Deletes by key, because row pointers are local to a partition. */
async function deleteOfCheck(
  unit: Kysely<Database>,
  { table, checkNo, limit }: RowsOfCheck,
): Promise<number> {
  const rows = sql`${sql.table(table)} where check_no = ${checkNo}`;
  const { numAffectedRows = 0n } =
    await sql`delete from ${rows} and started_at in (select started_at from ${rows} order by started_at limit ${limit})`.execute(
      unit,
    );
  return Number(numAffectedRows);
}

function oldStrays(before: number): PurgeSource {
  return {
    name: "stray_results",
    async deleteChunk(db, { limit }) {
      const { numAffectedRows = 0n } =
        await sql`delete from stray_results where ctid in (select ctid from stray_results where started_at < ${before} order by started_at limit ${limit})`.execute(
          db,
        );
      return { hasMore: Number(numAffectedRows) === limit };
    },
  };
}

/** Lanes whose address is gone and that have no open alert. */
async function unusedOf(
  db: Kysely<Database>,
  lanes: readonly LaneKey[],
): Promise<readonly LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    select contact_id, address_id from ${laneRows(lanes)} as lane where ${isUnused}`.execute(db);
  return rows;
}

function unusedLanes(lanes: readonly LaneKey[]): PurgeSource {
  return {
    name: "lanes",
    async deleteChunk(db) {
      await sql`
        delete from lanes using ${laneRows(lanes)} as lane
        where lanes.contact_id = lane.contact_id and lanes.address_id = lane.address_id and ${isUnused}`.execute(
        db,
      );
      return { hasMore: false };
    },
  };
}

function laneRows(lanes: readonly LaneKey[]) {
  return sql`(select * from unnest(${lanes.map(({ contact_id }) => contact_id)}::text[], ${lanes.map(({ address_id }) => address_id)}::text[]) as key (contact_id, address_id))`;
}

const isUnused = sql<boolean>`
  not exists (select 1 from addresses where addresses.contact_id = lane.contact_id and addresses.id = lane.address_id)
  and not exists (select 1 from alerts where alerts.contact_id = lane.contact_id and alerts.address_id = lane.address_id and status = 'waiting')
  and not exists (select 1 from alerts where alerts.contact_id = lane.contact_id and alerts.address_id = lane.address_id and status = 'held')`;
