import { sql, type Kysely } from "kysely";

import type { Database } from "../../tables/database.ts";

export interface ControllerRow {
  readonly id: string;
  readonly beat: number;
  readonly bus_ok: boolean;
  /** How long the lease holds after the controller sent this beat, in ms. */
  readonly held_ms: number;
}

export interface ShardRow {
  readonly shard: number;
  readonly owner: string | null;
}

export interface Renewal {
  readonly id: string;
  readonly busOk: boolean;
  readonly heldMs: number;
}

/** The rows by which controllers share the checks. */
export interface ControllerRows {
  readonly register: (renewal: Renewal) => Promise<void>;
  /** False if another process has deleted the row. */
  readonly renew: (renewal: Renewal) => Promise<boolean>;
  readonly list: () => Promise<{
    readonly controllers: readonly ControllerRow[];
    readonly shards: readonly ShardRow[];
  }>;
  /** Deletes the row of a controller whose beat is still this one, and frees its shards; whether it was. */
  readonly takeOver: (controller: Pick<ControllerRow, "id" | "beat">) => Promise<boolean>;
  /** Claims up to `limit` unowned shards. */
  readonly claim: (id: string, limit: number) => Promise<void>;
  readonly free: (id: string, shards: readonly number[]) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export function createControllerRows(db: Kysely<Database>): ControllerRows {
  const freeAll = (unit: Kysely<Database>, owner: string) =>
    sql`update shards set owner = null, epoch = epoch + 1 where owner = ${owner}`.execute(unit);
  return {
    async register({ id, busOk, heldMs }) {
      await sql`insert into controllers (id, beat, bus_ok, held_ms) values (${id}, 0, ${busOk}, ${heldMs})`.execute(
        db,
      );
    },
    async renew({ id, busOk, heldMs }) {
      const { numAffectedRows } =
        await sql`update controllers set beat = beat + 1, bus_ok = ${busOk}, held_ms = ${heldMs} where id = ${id}`.execute(
          db,
        );
      return numAffectedRows === 1n;
    },
    async list() {
      const { rows } = await sql<ControllerRow & { shards: readonly ShardRow[] }>`
        with owned as (select json_agg(json_build_object('shard', shard, 'owner', owner) order by shard) as shards from shards)
        select id, beat, bus_ok, held_ms, shards from owned left join controllers on true order by id`.execute(
        db,
      );
      const controllers = rows.filter(({ id }) => id !== null);
      return { controllers, shards: rows[0]?.shards ?? [] };
    },
    takeOver: ({ id, beat }) =>
      db.transaction().execute(async (unit) => {
        const { numAffectedRows } =
          await sql`delete from controllers where id = ${id} and beat = ${beat}`.execute(unit);
        if (numAffectedRows !== 1n) return false;
        await freeAll(unit, id);
        return true;
      }),
    async claim(id, limit) {
      await db.transaction().execute(async (unit) => {
        // Otherwise the shards of a controller that was just taken over would have no owner.
        if (!(await lockController(unit, id))) return;
        await sql`
          with free as (select shard from shards where owner is null order by shard limit ${limit} for update skip locked)
          update shards set owner = ${id}, epoch = epoch + 1 from free where shards.shard = free.shard`.execute(
          unit,
        );
      });
    },
    async free(id, shards) {
      await sql`update shards set owner = null, epoch = epoch + 1 where owner = ${id} and shard = any(${shards}::bigint[])`.execute(
        db,
      );
    },
    remove: (id) =>
      db.transaction().execute(async (unit) => {
        await sql`delete from controllers where id = ${id}`.execute(unit);
        await freeAll(unit, id);
      }),
  };
}

/** Prevents a takeover of the controller until the transaction ends; false if it was already taken over. */
export async function lockController(unit: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from controllers where id = ${id} for key share`.execute(
    unit,
  );
  return rows.length === 1;
}
