import { sql, type RawBuilder } from "kysely";

import { unansweredMs } from "../../../domain/status/subscriber.ts";
import type { Engine } from "../engine.ts";
import type { PurgeSource } from "./purge-rounds.ts";

/** Hashes of addresses that may be asked again. */
export function endedSubscribers(engine: Engine): {
  readonly table: string;
  readonly condition: RawBuilder<boolean>;
} {
  return {
    table: "page_subscribers",
    condition: sql<boolean>`ends_at <= ${engine.now()} and state = 'ended'`,
  };
}

/** Forgets the addresses of those who did not confirm in time. */
export function unconfirmedSubscribers(engine: Engine): PurgeSource {
  return {
    name: "page_subscribers",
    async deleteChunk(db, { limit }) {
      const late = db
        .selectFrom("page_subscribers")
        .select("seq")
        .where("ends_at", "<=", engine.now())
        .where("state", "=", "pending")
        .limit(limit);
      const { numUpdatedRows } = await db
        .updateTable("page_subscribers")
        .set((eb) => ({
          state: "ended" as const,
          sealed: null,
          ends_at: eb("created_at", "+", unansweredMs),
        }))
        .where("seq", "in", late)
        .executeTakeFirst();
      return { hasMore: Number(numUpdatedRows) === limit };
    },
  };
}
