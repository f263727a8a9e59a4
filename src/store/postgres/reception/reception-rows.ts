import { sql, type Kysely } from "kysely";

import type { ListeningPlace } from "../../../kit/net/own-listener.ts";
import type { EarlierReception } from "../../heartbeat-reception.ts";
import type { Database } from "../../tables/database.ts";

/** Row that a process receiving heartbeats writes about itself. */
export interface ReceptionRow {
  readonly id: string;
  readonly beat: number;
  /** Number of interruptions so far. */
  readonly interruptions: number;
  /** Whether one lasts. */
  readonly is_deaf: boolean;
  /** Address at which it accepts connections; undefined before that. */
  readonly place?: ListeningPlace | undefined;
}

interface StoredRow extends Omit<ReceptionRow, "place"> {
  readonly port: number | null;
  readonly addresses: readonly string[] | null;
  readonly network: string | null;
}

/** Rows from which every process knows whether all receivers could receive heartbeats. */
export interface ReceptionRows {
  readonly beat: (row: Omit<ReceptionRow, "beat">) => Promise<void>;
  readonly list: () => Promise<readonly ReceptionRow[]>;
  /** Removes the row of one whose beat is still this one. */
  readonly remove: (row: Pick<ReceptionRow, "id" | "beat">) => Promise<void>;
  /** Heartbeats of these checks came that are not stored. */
  readonly sign: (checkNos: readonly number[]) => Promise<void>;
  /** Time of such a heartbeat of the check, by the store's clock. */
  readonly signedAt: (checkNo: number) => Promise<number | undefined>;
  /** Stores the combined reception for later processes, by the database clock. */
  readonly keep: (reception: EarlierReception) => Promise<void>;
  /** Returns the stored reception; undefined if there is none. */
  readonly kept: () => Promise<EarlierReception | undefined>;
  /** Removes the process's own. */
  readonly leave: (id: string) => Promise<void>;
}

/** Results of the check say more by then. */
const SIGNS_KEPT_MS = 2 * 24 * 3_600_000;

/** Key in `meta`. */
const RECEPTION = "reception";

export function createReceptionRows(db: Kysely<Database>): ReceptionRows {
  return {
    async beat({ id, interruptions, is_deaf, place }) {
      const { port = null, addresses = null, network = null } = place ?? {};
      await sql`
        insert into push_hearing (id, beat, interruptions, is_deaf, port, addresses, network)
        values (${id}, 0, ${interruptions}, ${is_deaf}, ${port}, ${addresses}::text[], ${network})
        on conflict (id) do update set beat = push_hearing.beat + 1, interruptions = excluded.interruptions, is_deaf = excluded.is_deaf,
          port = excluded.port, addresses = excluded.addresses, network = excluded.network`.execute(
        db,
      );
    },
    async list() {
      const { rows } =
        await sql<StoredRow>`select id, beat, interruptions, is_deaf, port, addresses, network from push_hearing order by id`.execute(
          db,
        );
      return rows.map(({ port, addresses, network, ...row }) => ({
        ...row,
        place:
          port === null ? undefined : { port, addresses: addresses ?? [], network: network ?? "" },
      }));
    },
    async remove({ id, beat }) {
      await sql`delete from push_hearing where id = ${id} and beat = ${beat}`.execute(db);
    },
    async sign(checkNos) {
      await sql`
        insert into push_signs (check_no, at) select distinct unnest(${checkNos}::bigint[]), now_ms()
        on conflict (check_no) do update set at = excluded.at`.execute(db);
      await sql`delete from push_signs where at < now_ms() - ${SIGNS_KEPT_MS}`.execute(db);
    },
    async signedAt(checkNo) {
      const { rows } = await sql<{
        at: number;
      }>`select at from push_signs where check_no = ${checkNo}`.execute(db);
      return rows[0]?.at;
    },
    async keep(reception) {
      await sql`
        insert into meta (key, value) values (${RECEPTION}, ${JSON.stringify(reception)})
        on conflict (key) do update set value = excluded.value`.execute(db);
    },
    async kept() {
      const { rows } = await sql<{
        value: string;
      }>`select value from meta where key = ${RECEPTION}`.execute(db);
      const [row] = rows;
      return row && JSON.parse(row.value);
    },
    async leave(id) {
      await sql`delete from push_hearing where id = ${id}`.execute(db);
    },
  };
}
